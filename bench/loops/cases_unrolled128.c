// SPDX-License-Identifier: GPL-2.0-only
/* Twice as many as cases_unrolled64.c has. */
#define BENCH_SHAPE		unrolled128
#define BENCH_SITES		128
#define BENCH_LOOPS_DISABLED	25000
#define BENCH_LOOPS_ENABLED	2000
#define BENCH_BODY(SITE)						\
do {									\
	BENCH_8_TIMES(BENCH_8_TIMES(SITE));				\
	BENCH_8_TIMES(BENCH_8_TIMES(SITE));				\
} while (0)

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS);
