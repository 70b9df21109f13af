// SPDX-License-Identifier: GPL-2.0-only
/*
 * Eight sites between multiplications that wait for each other: the core has
 * nothing else to do meanwhile, and a site may cost nothing.
 */
#define BENCH_SHAPE		latency
#define BENCH_SITES		8
#define BENCH_LOOPS_DISABLED	12500
#define BENCH_LOOPS_ENABLED	10000
#define BENCH_BODY(SITE)	BENCH_8_TIMES(SITE; LOOP_LATENCY())

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS);
