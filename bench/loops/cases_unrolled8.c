// SPDX-License-Identifier: GPL-2.0-only
/*
 * Eight sites in a row, which the loop's own branch can no longer hide.  The
 * cold blocks of eight do not fit into the reach of an 8-bit jump; for those
 * gates there is cases_unrolled4.c.
 */
#define BENCH_SHAPE		unrolled8
#define BENCH_SITES		8
#define BENCH_LOOPS_DISABLED	1250000
#define BENCH_LOOPS_ENABLED	12500
#define BENCH_BODY(SITE)	BENCH_8_TIMES(SITE)

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS);
