/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kprobe gate of x86-64: no instruction at all.  Its entry names the place
 * and, in the field for the cold block, a list of operands: the places where the compiler
 * has the arguments when a CPU gets there.  Included by gates.h.
 *
 * An instruction that is never executed describes each operand
 *
 *	movq OPERAND, %rax
 *
 * in .discard_marker_operands: a register, an address or a constant, encoded by the
 * assembler and relocated by the linker.  operands.c reads it, and uses
 * only as many bytes as the type of the argument has.
 */
#ifndef MARKERS_ARCH_SITE_OPERANDS_H
#define MARKERS_ARCH_SITE_OPERANDS_H

/*
 * An argument keeps its type, as to widen it would take an instruction.  An argument that is no
 * scalar does not compile.
 */
#define MARKER_OPERAND_VALUE(i, x)					\
	__auto_type __a##i = MARKER_OPERAND_OF(x);			\
	BUILD_BUG_ON(sizeof(MARKER_WORD(__a##i)) != sizeof(long));
#define MARKER_OPERAND_MOV(i, x)	"movq %q[a" #i "], %%rax\n\t"
#define MARKER_OPERAND_INPUT(i, x)	, [a##i] "g" (__a##i)

#define marker_kprobe_site(where, ...)					\
	MARKER_MAP(MARKER_OPERAND_VALUE, ##__VA_ARGS__)			\
	asm volatile("771:\n\t"						\
		     ".pushsection .discard_marker_operands, \"aw\"\n\t" \
		     "772:\n\t"						\
		     MARKER_MAP(MARKER_OPERAND_MOV, ##__VA_ARGS__)	\
		     ".popsection\n\t"					\
		     MARKER_GATE_ENTRY("772b")				\
		     : : [site] "i" (where)				\
		     MARKER_MAP(MARKER_OPERAND_INPUT, ##__VA_ARGS__))

#endif
