// SPDX-License-Identifier: GPL-2.0-only
/*
 * Eight sites among work: 32 instructions behind each, additions and NOPs, which do not wait for
 * each other. The loop is limited by the number of instructions that a core begins in a cycle, so
 * a site costs as many as it has.
 */
#define BENCH_SHAPE		filler
#define BENCH_SITES		8
#define BENCH_LOOPS_DISABLED	25000
#define BENCH_LOOPS_ENABLED	12500
#define BENCH_BODY(SITE)	BENCH_8_TIMES(SITE; LOOP_FILLER())

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS);
