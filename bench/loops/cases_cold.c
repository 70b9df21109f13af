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

#define COLD_VARIANTS(X)						\
	X(none, NONE) X(null, NONE) BENCH_GATES_COLD(X)

/*
 * X(variant, KIND, n, next) for all n of four digits below 4, with the number
 * that follows each of them.
 */
#define COLD_4(X, variant, KIND, n, next)				\
	X(variant, KIND, n##0, n##1) X(variant, KIND, n##1, n##2)	\
	X(variant, KIND, n##2, n##3) X(variant, KIND, n##3, next##0)
#define COLD_16(X, variant, KIND, n, next)				\
	COLD_4(X, variant, KIND, n##0, n##1)				\
	COLD_4(X, variant, KIND, n##1, n##2)				\
	COLD_4(X, variant, KIND, n##2, n##3)				\
	COLD_4(X, variant, KIND, n##3, next##0)
#define COLD_64(X, variant, KIND, n, next)				\
	COLD_16(X, variant, KIND, n##0, n##1)				\
	COLD_16(X, variant, KIND, n##1, n##2)				\
	COLD_16(X, variant, KIND, n##2, n##3)				\
	COLD_16(X, variant, KIND, n##3, next##0)
#define COLD_256(X, variant, KIND)					\
	COLD_64(X, variant, KIND, 0, 1) COLD_64(X, variant, KIND, 1, 2)	\
	COLD_64(X, variant, KIND, 2, 3) COLD_64(X, variant, KIND, 3, 4)

/* gcc would turn the order of the functions round; clang does not, nor knows this. */
#ifdef __clang__
#define COLD_IN_ORDER
#else
#define COLD_IN_ORDER	__attribute__((no_reorder))
#endif

/*
 * One step of the walk. Sites are at different places in their lines. A digit comes first, because
 * the number would otherwise be octal.
 */
#define COLD_STEP(variant, KIND, n, next)				\
LOOP_PAD(128);								\
static noinline notrace void variant##_step##next(void);		\
static noinline notrace __aligned(128) COLD_IN_ORDER		\
void variant##_step##n(void)						\
{									\
	asm volatile(LOOP_NOPS(#variant #n) : : "i" (1##n % 7 * 3));	\
	BENCH_SITE(KIND);						\
	variant##_step##next();						\
}

/*
 * The last digit counts fastest in the walk and slowest in memory: the next step is 256 steps away
 * in memory.
 */
#define COLD_STEP_0(variant, KIND, n, next)	COLD_STEP(variant, KIND, n##0, n##1)
#define COLD_STEP_1(variant, KIND, n, next)	COLD_STEP(variant, KIND, n##1, n##2)
#define COLD_STEP_2(variant, KIND, n, next)	COLD_STEP(variant, KIND, n##2, n##3)
#define COLD_STEP_3(variant, KIND, n, next)	COLD_STEP(variant, KIND, n##3, next##0)

#define COLD_LOOP(variant, KIND)					\
COLD_256(COLD_STEP_0, variant, KIND)					\
COLD_256(COLD_STEP_1, variant, KIND)					\
COLD_256(COLD_STEP_2, variant, KIND)					\
COLD_256(COLD_STEP_3, variant, KIND)					\
static noinline notrace void variant##_step40000(void)			\
{									\
	asm volatile(LOOP_NOPS(#variant) : : "i" (0));			\
}									\
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
