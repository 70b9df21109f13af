// SPDX-License-Identifier: GPL-2.0-only
/* Four sites in a row: the most that gates with an 8-bit jump have room for. */
#define BENCH_SHAPE		unrolled4
#define BENCH_SITES		4
#define BENCH_LOOPS_DISABLED	2500000
#define BENCH_LOOPS_ENABLED	25000
#define BENCH_BODY(SITE)						\
	do { SITE; SITE; SITE; SITE; } while (0)

#include "loop.h"

BENCH_CASES(BENCH_VARIANTS_ALL);
