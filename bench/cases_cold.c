// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thousand sites, each in a function and a cache line of its own, and called
 * far from the one before, so that no prefetcher sees where the loop goes: code,
 * flags and branches of one variant are more than the nearest caches hold, as in
 * a kernel at work, where a site is met rarely.
 *
 * There are no peers here, which would be functions by the thousand, too.
 */
#define BENCH_SHAPE		cold
#define BENCH_SITES		1024
#define BENCH_LOOPS_DISABLED	60
#define BENCH_LOOPS_ENABLED	40

#include "loop.h"

#define COLD_VARIANTS(X)						\
	X(none, NONE) X(null, NONE)					\
	X(generic, GENERIC) X(imm, IMM) X(nop5, NOP5) X(flip, FLIP)	\
	X(key, KEY) X(mark, MARK)

/* X(variant, KIND, n) for 1024 numbers of five digits below 4, in their order. */
#define COLD_4(X, variant, KIND, n)					\
	X(variant, KIND, n##0) X(variant, KIND, n##1)			\
	X(variant, KIND, n##2) X(variant, KIND, n##3)
#define COLD_16(X, variant, KIND, n)					\
	COLD_4(X, variant, KIND, n##0) COLD_4(X, variant, KIND, n##1)	\
	COLD_4(X, variant, KIND, n##2) COLD_4(X, variant, KIND, n##3)
#define COLD_64(X, variant, KIND, n)					\
	COLD_16(X, variant, KIND, n##0) COLD_16(X, variant, KIND, n##1)	\
	COLD_16(X, variant, KIND, n##2) COLD_16(X, variant, KIND, n##3)
#define COLD_256(X, variant, KIND, n)					\
	COLD_64(X, variant, KIND, n##0) COLD_64(X, variant, KIND, n##1)	\
	COLD_64(X, variant, KIND, n##2) COLD_64(X, variant, KIND, n##3)
#define COLD_1024(X, variant, KIND)					\
	COLD_256(X, variant, KIND, 0) COLD_256(X, variant, KIND, 1)	\
	COLD_256(X, variant, KIND, 2) COLD_256(X, variant, KIND, 3)

/*
 * The same, with the digits from the last to the first, so that neighbours come
 * 256 apart; and each of them in another order than the functions.
 */
#define COLD_FAR_4(X, variant, n)					\
	X(variant, 2##n) X(variant, 0##n) X(variant, 3##n) X(variant, 1##n)
#define COLD_FAR_16(X, variant, n)					\
	COLD_FAR_4(X, variant, 1##n) COLD_FAR_4(X, variant, 3##n)	\
	COLD_FAR_4(X, variant, 0##n) COLD_FAR_4(X, variant, 2##n)
#define COLD_FAR_64(X, variant, n)					\
	COLD_FAR_16(X, variant, 3##n) COLD_FAR_16(X, variant, 0##n)	\
	COLD_FAR_16(X, variant, 2##n) COLD_FAR_16(X, variant, 1##n)
#define COLD_FAR_256(X, variant, n)					\
	COLD_FAR_64(X, variant, 0##n) COLD_FAR_64(X, variant, 2##n)	\
	COLD_FAR_64(X, variant, 1##n) COLD_FAR_64(X, variant, 3##n)
#define COLD_FAR_1024(X, variant)					\
	COLD_FAR_256(X, variant, 2) COLD_FAR_256(X, variant, 1)		\
	COLD_FAR_256(X, variant, 3) COLD_FAR_256(X, variant, 0)

/*
 * A digit in front, or the number were octal.  Sites are not all at the same
 * place in their lines, either.
 */
#define COLD_FUNCTION(variant, KIND, n)					\
static noinline notrace __aligned(64) void variant##_site##n(void)	\
{									\
	asm volatile(LOOP_NOPS : : "i" (1##n % 7 * 3), "i" (1##n));	\
	BENCH_SITE(KIND);						\
}

#define COLD_CALL(variant, n)	variant##_site##n(),

#define COLD_LOOP(variant, KIND)					\
COLD_1024(COLD_FUNCTION, variant, KIND)					\
static __always_inline void variant##_loop(unsigned long loops, const int layout) \
{									\
	asm volatile(LOOP_ALIGN(#variant) : : "i" (layout * 64 / BENCH_LAYOUTS)); \
	do {								\
		COLD_FAR_1024(COLD_CALL, variant) (void)0;		\
		loops = loop_keep(loops);				\
	} while (--loops);						\
}									\
BENCH_LAYOUT_FUNCTIONS(variant)

COLD_VARIANTS(COLD_LOOP)

static const struct bench_case cases[] = { COLD_VARIANTS(BENCH_ENTRIES) };

BENCH_SHAPE_OF(cases);
