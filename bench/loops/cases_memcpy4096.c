// SPDX-License-Identifier: GPL-2.0-only
/* One site and a copy of 4096 bytes: rows A2 and A4 of the thread. */
#define BENCH_SHAPE		memcpy4096
#define BENCH_SITES		1
#define BENCH_LOOPS_DISABLED	10000
#define BENCH_LOOPS_ENABLED	10000
#define BENCH_BODY(SITE)						\
do {									\
	SITE;								\
	LOOP_COPY(copy_to, copy_from);					\
} while (0)

#include "loop.h"

static __used u8 copy_from[4096] __aligned(4096), copy_to[4096] __aligned(4096);

BENCH_CASES(BENCH_VARIANTS_ALL);
