// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thousand sites, each in a step of its own, which is two cache lines and ends
 * in a jump to the next one, far away: code, flags and branches of one variant
 * are more than the nearest caches hold, as in a kernel at work, where a site is
 * met rarely.  Steps that are called, a dozen calls in a line, would measure how
 * many branches of a line the CPU predicts.
 *
 * There are no peers here, which would be functions by the thousand, too.
 */
#define BENCH_SHAPE		cold
#define BENCH_SITES		1024
#define BENCH_LOOPS_DISABLED	60
#define BENCH_LOOPS_ENABLED	40

#include "loop.h"
#include "cold_steps.h"

#define COLD_VARIANTS(X)						\
	X(none, NONE) X(null, NONE) BENCH_GATES_COLD(X)

#define COLD_LOOP(variant, KIND)					\
COLD_STEPS(variant, KIND)						\
static __always_inline void variant##_loop(unsigned long loops, const int layout) \
{									\
	asm volatile(LOOP_ALIGN(#variant) : : "i" (layout * 64 / BENCH_LAYOUTS)); \
	do {								\
		variant##_step00000();					\
		loops = loop_keep(loops);				\
	} while (--loops);						\
}									\
BENCH_LAYOUT_FUNCTIONS(variant)

COLD_VARIANTS(COLD_LOOP)

static const struct bench_case cases[] = { COLD_VARIANTS(BENCH_ENTRIES) };

BENCH_SHAPE_OF(cases);
