/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kprobe gate of arm64: no instruction at all.  Its entry names the place and, in the
 * field for the cold block, a list of operands: the places of the arguments when
 * a CPU gets there.  Included by gates.h.
 *
 * An instruction that is never executed describes each operand in .discard_marker_operands,
 *
 *	mov x0, REGISTER
 *	ldr x0, ADDRESS		(or ldr w0, ldrh, ldrb: as long as the argument is)
 *	.word 0, .quad CONSTANT	(aligned to its size)
 *
 * encoded by the assembler and relocated by the linker; operands.c reads it.  The text of an
 * operand selects the line: an address begins with a bracket, a register is
 * "x" and one or two characters, any other text is a constant.  A reader
 * uses only as many bytes as the type of the argument has.
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

#ifdef __clang__

/* The assembler of clang cannot examine an operand: describe each by a mov of its register. */
#define MARKER_OPERAND_INPUT(i, x)	, [a##i] "r" (__a##i)
#define MARKER_OPERAND_DESCRIBED(i, x)	"mov x0, %x[a" #i "]\n\t"

#else

#define MARKER_OPERAND_INPUT(i, x)	, [a##i] "g" (__a##i), [size##i] "i" (sizeof(__a##i))

/* .Lmarker_kind becomes 1 for a register, 2 for an address. */
#define MARKER_OPERAND_DESCRIBED(i, x)					\
	".set .Lmarker_kind, 0\n\t"					\
	".set .Lmarker_at, 0\n\t"					\
	".irpc c, \"%x[a" #i "]\"\n\t"					\
	".if .Lmarker_at == 0\n\t"					\
	".ifeqs \"\\c\", \"x\"\n\t"					\
	".set .Lmarker_kind, 1\n\t"					\
	".endif\n\t"							\
	".ifeqs \"\\c\", \"[\"\n\t"					\
	".set .Lmarker_kind, 2\n\t"					\
	".endif\n\t"							\
	".endif\n\t"							\
	".set .Lmarker_at, .Lmarker_at + 1\n\t"				\
	".endr\n\t"							\
	".if .Lmarker_kind == 2 && %c[size" #i "] == 8\n\t"		\
	"ldr x0, %[a" #i "]\n\t"					\
	".elseif .Lmarker_kind == 2 && %c[size" #i "] == 4\n\t"		\
	"ldr w0, %[a" #i "]\n\t"					\
	".elseif .Lmarker_kind == 2 && %c[size" #i "] == 2\n\t"		\
	"ldrh w0, %[a" #i "]\n\t"					\
	".elseif .Lmarker_kind == 2\n\t"				\
	"ldrb w0, %[a" #i "]\n\t"					\
	".elseif .Lmarker_kind == 1 && .Lmarker_at <= 3\n\t"		\
	"mov x0, %x[a" #i "]\n\t"					\
	".else\n\t"							\
	".word 0\n\t"							\
	".balign 8\n\t"							\
	".quad %x[a" #i "]\n\t"						\
	".endif\n\t"

#endif

#define marker_kprobe_site(where, ...)					\
do {									\
	MARKER_MAP(MARKER_OPERAND_VALUE, ##__VA_ARGS__)			\
	asm volatile("771:\n\t"						\
		     ".pushsection .discard_marker_operands, \"aw\"\n\t" \
		     ".balign 8\n\t"					\
		     "772:\n\t"						\
		     MARKER_MAP(MARKER_OPERAND_DESCRIBED, ##__VA_ARGS__) \
		     ".popsection\n\t"					\
		     MARKER_GATE_ENTRY("772b")				\
		     : : [site] "i" (where)				\
		     MARKER_MAP(MARKER_OPERAND_INPUT, ##__VA_ARGS__));	\
} while (0)

#endif
