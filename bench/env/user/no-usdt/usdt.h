/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces usdt/usdt.h where sys/sdt.h is not installed. */
#ifndef NATIVE_USDT_H
#define NATIVE_USDT_H

#define BENCH_USDT(X)

#endif
