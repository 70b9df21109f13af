/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kprobe gate of x86-64: no instruction at all.  Its entry names the place
 * and, in the field for the cold block, a list of operands: where the compiler
 * has the arguments when a CPU gets there.  Included by gates.h.
 *
 * Each operand is described by an instruction that is never executed,
 *
 *	movq OPERAND, %rax
 *
 * in .discard_marker_operands: a register, an address or a constant, encoded
 * and relocated by those who know how.  operands.c reads it.  Of what is there
 * only as much counts as the type of the argument has.
 */
#ifndef MARKERS_ARCH_SITE_OPERANDS_H
#define MARKERS_ARCH_SITE_OPERANDS_H

/*
 * An argument keeps its type, as to widen it would take an instruction; behind a
 * comma an array becomes a pointer.  What is no scalar does not compile.
 */
#define MARKER_OPERAND_VALUE(n, x)					\
	__auto_type __a##n = ((void)0, (x));				\
	BUILD_BUG_ON(sizeof(MARKER_WORD(__a##n)) != sizeof(long))
#define MARKER_OPERAND_MOV(n)	"movq %q[a" #n "], %%rax\n\t"
#define MARKER_OPERAND_INPUT(n)	[a##n] "g" (__a##n)

/* The last argument has number 1. */
#define marker_kprobe_site(where, ...)					\
	MARKER_CONCAT(MARKER_OPERAND_VALUES_, MARKER_COUNT(__VA_ARGS__))(__VA_ARGS__); \
	asm volatile("771:\n\t"						\
		     ".pushsection .discard_marker_operands, \"aw\"\n\t" \
		     "772:\n\t"						\
		     MARKER_CONCAT(MARKER_OPERAND_MOVS_, MARKER_COUNT(__VA_ARGS__)) \
		     ".popsection\n\t"					\
		     MARKER_GATE_ENTRY("772b")				\
		     : : [site] "i" (where)				\
		     MARKER_CONCAT(MARKER_OPERAND_INPUTS_, MARKER_COUNT(__VA_ARGS__)))

#define MARKER_OPERAND_VALUES_0()
#define MARKER_OPERAND_VALUES_1(x)	MARKER_OPERAND_VALUE(1, x)
#define MARKER_OPERAND_VALUES_2(x, ...)	\
	MARKER_OPERAND_VALUE(2, x); MARKER_OPERAND_VALUES_1(__VA_ARGS__)
#define MARKER_OPERAND_VALUES_3(x, ...)	\
	MARKER_OPERAND_VALUE(3, x); MARKER_OPERAND_VALUES_2(__VA_ARGS__)
#define MARKER_OPERAND_VALUES_4(x, ...)	\
	MARKER_OPERAND_VALUE(4, x); MARKER_OPERAND_VALUES_3(__VA_ARGS__)
#define MARKER_OPERAND_VALUES_5(x, ...)	\
	MARKER_OPERAND_VALUE(5, x); MARKER_OPERAND_VALUES_4(__VA_ARGS__)
#define MARKER_OPERAND_VALUES_6(x, ...)	\
	MARKER_OPERAND_VALUE(6, x); MARKER_OPERAND_VALUES_5(__VA_ARGS__)
#define MARKER_OPERAND_VALUES_7(x, ...)	\
	MARKER_OPERAND_VALUE(7, x); MARKER_OPERAND_VALUES_6(__VA_ARGS__)
#define MARKER_OPERAND_VALUES_8(x, ...)	\
	MARKER_OPERAND_VALUE(8, x); MARKER_OPERAND_VALUES_7(__VA_ARGS__)

#define MARKER_OPERAND_MOVS_0
#define MARKER_OPERAND_MOVS_1	MARKER_OPERAND_MOV(1)
#define MARKER_OPERAND_MOVS_2	MARKER_OPERAND_MOV(2) MARKER_OPERAND_MOVS_1
#define MARKER_OPERAND_MOVS_3	MARKER_OPERAND_MOV(3) MARKER_OPERAND_MOVS_2
#define MARKER_OPERAND_MOVS_4	MARKER_OPERAND_MOV(4) MARKER_OPERAND_MOVS_3
#define MARKER_OPERAND_MOVS_5	MARKER_OPERAND_MOV(5) MARKER_OPERAND_MOVS_4
#define MARKER_OPERAND_MOVS_6	MARKER_OPERAND_MOV(6) MARKER_OPERAND_MOVS_5
#define MARKER_OPERAND_MOVS_7	MARKER_OPERAND_MOV(7) MARKER_OPERAND_MOVS_6
#define MARKER_OPERAND_MOVS_8	MARKER_OPERAND_MOV(8) MARKER_OPERAND_MOVS_7

#define MARKER_OPERAND_INPUTS_0
#define MARKER_OPERAND_INPUTS_1	, MARKER_OPERAND_INPUT(1)
#define MARKER_OPERAND_INPUTS_2	, MARKER_OPERAND_INPUT(2) MARKER_OPERAND_INPUTS_1
#define MARKER_OPERAND_INPUTS_3	, MARKER_OPERAND_INPUT(3) MARKER_OPERAND_INPUTS_2
#define MARKER_OPERAND_INPUTS_4	, MARKER_OPERAND_INPUT(4) MARKER_OPERAND_INPUTS_3
#define MARKER_OPERAND_INPUTS_5	, MARKER_OPERAND_INPUT(5) MARKER_OPERAND_INPUTS_4
#define MARKER_OPERAND_INPUTS_6	, MARKER_OPERAND_INPUT(6) MARKER_OPERAND_INPUTS_5
#define MARKER_OPERAND_INPUTS_7	, MARKER_OPERAND_INPUT(7) MARKER_OPERAND_INPUTS_6
#define MARKER_OPERAND_INPUTS_8	, MARKER_OPERAND_INPUT(8) MARKER_OPERAND_INPUTS_7

#endif
