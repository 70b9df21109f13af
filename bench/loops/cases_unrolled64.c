// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sites without end, nearly: with what cases_unrolled128.c measures, the
 * difference of the two loops is 64 sites, and nothing of the loop.  Both are
 * executed as often, so what reading the counter adds to each loop is the same.
 */
#define BENCH_SHAPE		unrolled64
#define BENCH_SITES		64
#define BENCH_LOOPS_DISABLED	25000
#define BENCH_LOOPS_ENABLED	2000
#define BENCH_BODY(SITE)	BENCH_8_TIMES(BENCH_8_TIMES(SITE))

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS);
