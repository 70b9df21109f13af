/* SPDX-License-Identifier: GPL-2.0-only */
/* No compiler makes retpolines for arm64. */
#ifndef BENCH_RETPOLINE_H
#define BENCH_RETPOLINE_H

#define BENCH_RETPOLINE(X)

#endif
