/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code of many steps with one site each, two cache lines long, that jump to the next step, far
 * away. Include this file behind loop.h.
 */
#ifndef BENCH_COLD_STEPS_H
#define BENCH_COLD_STEPS_H

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

/* Functions of 1024 steps; the first one walks through all of them. */
#define COLD_STEPS(variant, KIND)					\
COLD_256(COLD_STEP_0, variant, KIND)					\
COLD_256(COLD_STEP_1, variant, KIND)					\
COLD_256(COLD_STEP_2, variant, KIND)					\
COLD_256(COLD_STEP_3, variant, KIND)					\
COLD_END(variant, 40000)

/* The same of 64. */
#define COLD_STEPS_FEW(variant, KIND)					\
COLD_16(COLD_STEP_0, variant, KIND, 00, 01)				\
COLD_16(COLD_STEP_1, variant, KIND, 00, 01)				\
COLD_16(COLD_STEP_2, variant, KIND, 00, 01)				\
COLD_16(COLD_STEP_3, variant, KIND, 00, 01)				\
COLD_END(variant, 01000)

/* Step @n, which is none. */
#define COLD_END(variant, n)						\
static noinline notrace void variant##_step##n(void)			\
{									\
	asm volatile(LOOP_NOPS(#variant) : : "i" (0));			\
}

#endif
