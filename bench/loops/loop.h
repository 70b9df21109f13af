/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The template of all measured loops.  A cases_*.c defines, before it includes
 * this file,
 *
 *	BENCH_SHAPE		the name of the shape
 *	BENCH_SITES		sites per loop
 *	BENCH_LOOPS_DISABLED	loops of a round, while nothing is connected
 *	BENCH_LOOPS_ENABLED	the same, with a probe
 *	BENCH_BODY(SITE)	what the loop does, with BENCH_SITES times SITE
 *	BENCH_MARKER		the name of the sites, if not that of the thread
 *
 * and then says BENCH_CASES(LIST), where LIST is one of the lists of variants
 * below, or BENCH_CASES_OF() with lists of its own.  For each variant and layout
 * that makes a function
 *
 *	SHAPE_VARIANT_LAYOUT:
 *		push	%rbx
 *		mov	%rdi, %rbx
 *		...				# NOPs, as far as the layout says
 *	1:	the body			# the only thing that differs
 *		sub	$1, %rbx
 *		jne	1b
 *		pop	%rbx
 *		ret
 *		the cold blocks of the sites
 *
 * and its entry in the table.  That is x86-64, where tools/testing/native/disassembly.t checks
 * that this is what came out; on arm64 the counter is in x19 (loop_asm.h).
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include "case.h"
#include "direct_call.h"
#include "loop_asm.h"
#include "peers.h"
#include "variants.h"

/* The site that the 2006 thread measures. */
#ifndef BENCH_MARKER
#define BENCH_MARKER		subsys_mark1
#endif
#define BENCH_SITE(KIND)	BENCH_SITE_OF(MARK_##KIND, BENCH_MARKER)
#define BENCH_SITE_OF(MARK_KIND, name)	MARK_KIND(name, "%d %p", 1, NULL)

#define MARK_MARK		MARK
#define MARK_NONE(...)		do { } while (0)

/*
 * X(variant, kind of gate), or X(variant, kind, bytes that the loop is moved by).  A loop
 * with a site has its later code at other addresses than "none".  Moved copies of "none"
 * show what such addresses alone can change.
 */
#define BENCH_NULLS(X)							\
	X(none, NONE) X(null, NONE) BENCH_NULLS_MOVED(X)

#define BENCH_VARIANTS(X)						\
	BENCH_NULLS(X) BENCH_GATES(X)

#define BENCH_VARIANTS_ALL(X)	BENCH_VARIANTS(X) BENCH_GATES_NEAR(X)

/* Variants without a gate: a sample of one is the same in both states. */
#define BENCH_VARIANTS_ALWAYS(X)					\
	X(direct, DIRECT)

#define BENCH_ALL_ENABLED(X)	BENCH_VARIANTS_ALWAYS(X) BENCH_PEERS_ENABLED(X)

#define BENCH_NONE(X)

/* Alignment of functions; natively a page, so that all have the same place in a page. */
#ifndef BENCH_ALIGN
#define BENCH_ALIGN	64
#endif

/* Repeats a body; may occur in its own argument. */
#define BENCH_8_TIMES(...)						\
do {									\
	__VA_ARGS__; __VA_ARGS__; __VA_ARGS__; __VA_ARGS__;		\
	__VA_ARGS__; __VA_ARGS__; __VA_ARGS__; __VA_ARGS__;		\
} while (0)

#define BENCH_NAME(variant, layout)					\
	MARKER_CONCAT(BENCH_SHAPE, _##variant##_##layout)

/* The layouts are copies of one loop, so a site has a gate in each of them. */
#define BENCH_LOOP(variant, KIND, ...)					\
static __always_inline void variant##_loop(unsigned long loops, const int layout) \
{									\
	asm volatile(LOOP_ALIGN(#variant) : :				\
		     "i" (layout * 64 / BENCH_LAYOUTS + (__VA_ARGS__ + 0))); \
	do {								\
		BENCH_BODY(BENCH_SITE(KIND));				\
		loops = loop_keep(loops);				\
	} while (--loops);						\
}									\
BENCH_LAYOUT_FUNCTIONS(variant)

#define BENCH_LAYOUT_FUNCTIONS(variant)					\
BENCH_FUNCTION(variant, 0)						\
BENCH_FUNCTION(variant, 1)						\
BENCH_FUNCTION(variant, 2)						\
BENCH_FUNCTION(variant, 3)

#define BENCH_FUNCTION(variant, layout)					\
static noinline notrace __aligned(BENCH_ALIGN)				\
void BENCH_NAME(variant, layout)(unsigned long loops)			\
{									\
	variant##_loop(loops, layout);					\
}

#define BENCH_ENTRY(gate, number, disabled, enabled) {			\
	.shape = __stringify(BENCH_SHAPE), .variant = #gate,		\
	.loops = { disabled, enabled },					\
	.sites = BENCH_SITES, .layout = number,				\
	.fn = BENCH_NAME(gate, number),					\
},

#define BENCH_LAYOUT_ENTRIES(variant, disabled, enabled)		\
	BENCH_ENTRY(variant, 0, disabled, enabled)			\
	BENCH_ENTRY(variant, 1, disabled, enabled)			\
	BENCH_ENTRY(variant, 2, disabled, enabled)			\
	BENCH_ENTRY(variant, 3, disabled, enabled)

#define BENCH_ENTRIES(variant, KIND, ...)				\
	BENCH_LAYOUT_ENTRIES(variant, BENCH_LOOPS_DISABLED, BENCH_LOOPS_ENABLED)
#define BENCH_ENTRIES_DISABLED(variant, KIND)				\
	BENCH_LAYOUT_ENTRIES(variant, BENCH_LOOPS_DISABLED, 0)
#define BENCH_ENTRIES_ENABLED(variant, KIND)				\
	BENCH_LAYOUT_ENTRIES(variant, 0, BENCH_LOOPS_ENABLED)

/* Enabled, hundreds of instructions or thousands of cycles each, which fewer loops tell as well. */
#define BENCH_ENTRIES_SLOW(variant, KIND)				\
	BENCH_LAYOUT_ENTRIES(variant, BENCH_LOOPS_DISABLED / 10, BENCH_LOOPS_ENABLED / 100)

/* The slow peers, for the shape that defines it as BENCH_PEERS_SLOW. */
#ifndef BENCH_SLOW
#define BENCH_SLOW		BENCH_NONE
#endif

/* Lists of variants with both states (two lists), only disabled, only enabled. */
#define BENCH_CASES_OF(BOTH, PEERS, DISABLED, ENABLED)			\
BOTH(BENCH_LOOP) PEERS(BENCH_LOOP)					\
DISABLED(BENCH_LOOP) ENABLED(BENCH_LOOP) BENCH_SLOW(BENCH_LOOP)		\
static const struct bench_case cases[] = {				\
	BOTH(BENCH_ENTRIES) PEERS(BENCH_ENTRIES)			\
	DISABLED(BENCH_ENTRIES_DISABLED) ENABLED(BENCH_ENTRIES_ENABLED)	\
	BENCH_SLOW(BENCH_ENTRIES_SLOW)					\
};									\
BENCH_SHAPE_OF(cases)

#define BENCH_SHAPE_OF(table)						\
extern const struct bench_shape MARKER_CONCAT(marker_bench_shape_, BENCH_SHAPE); \
const struct bench_shape MARKER_CONCAT(marker_bench_shape_, BENCH_SHAPE) = { \
	.name = __stringify(BENCH_SHAPE),				\
	.cases = table,							\
	.ncases = ARRAY_SIZE(table),					\
}

#define BENCH_CASES(LIST)						\
	BENCH_CASES_OF(LIST, BENCH_PEERS, BENCH_PEERS_DISABLED, BENCH_ALL_ENABLED)

#endif
