// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many sites in a row. The difference to the loop of cases_unrolled128.c is 64 sites, and nothing
 * of the loop. Both loops are executed equally often, so the cost of reading the counter is the
 * same.
 */
#define BENCH_SHAPE		unrolled64
#define BENCH_SITES		64
#define BENCH_LOOPS_DISABLED	25000
#define BENCH_LOOPS_ENABLED	2000
#define BENCH_BODY(SITE)	BENCH_8_TIMES(BENCH_8_TIMES(SITE))

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS);
