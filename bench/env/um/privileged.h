/* SPDX-License-Identifier: GPL-2.0-only */
/* Ways to read the counter that only a kernel has: none here. */
#ifndef BENCH_PRIVILEGED_H
#define BENCH_PRIVILEGED_H

#define FENCES_ALL(X)	FENCES(X)

#endif
