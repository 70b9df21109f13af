/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of x86-64: what stands at a site, and the call behind it.
 *
 *	kind	closed				open		bytes
 *	generic	movzbl on(%rip),%eax; test; jne	(data)		11, 15
 *	imm	mov $0,%al; test %al,%al; jne	mov $1,%al	6, 10
 *	nop5	0f 1f 44 00 00			e9 rel32	5
 *	flip	a9 rel32  test $imm32,%eax	e9 rel32	5
 *	pun	0f 1f 44 SS DD			e9 1f 44 SS DD	5
 *	nop2	66 90				eb rel8		2
 *	nop14	90, 8d 74 26 00			e9 rel32	5
 *	nop23	66 66 90, 66 90			e9 rel32	5
 *	jcc	cmp %eax,%eax; 0f 85 rel32	0f 84 rel32	8
 *	jcc8	cmp %eax,%eax; 75 rel8		74 rel8		4
 *	flip8	a8 rel8  test $imm8,%al		eb rel8		2
 *	call	0f 1f 44 00 00			e8 rel32	5
 *	kprobe	-				(a kprobe)	0
 *
 * (The second size of generic and imm is that of a long jne.)  flip and pun are
 * compiled as nop5, flip8 as nop2, and get their bytes when markers.ko sees the
 * module: what MARKER_RESERVE() needs is a NOP.  Each function returns whether
 * the gate is open, as a branch and not as a value.  Encoding and decoding are in
 * gate.c.
 *
 * Sources: jcc is gaudet's proposal and nop14/nop23 are measured in the 2006
 * marker thread; the operand of a long NOP is ignored: Intel SDM vol. 2B, NOP.
 */
#ifndef MARKERS_ARCH_GATES_H
#define MARKERS_ARCH_GATES_H

#include "marker_abi.h"

#define MARKER_KIND(NAME)	MARKER_GATE_##NAME

#define MARKER_GATE_ENTRY(cold)						\
	".pushsection .discard_marker_gates, \"aw\"\n\t"		\
	".balign 4\n\t"							\
	".long 771b - ., " cold " - ., %c[site] - .\n\t"		\
	".popsection\n\t"

/* Does not assemble when @to is out of reach of the rel8 that ends at @end. */
#define MARKER_REL8_GUARD(end, to)					\
	".pushsection .discard.marker_rel8\n\t"				\
	".byte " to " - " end " + 128, 127 + " end " - " to "\n\t"	\
	".popsection\n\t"

/*
 * A gate that is compiled as a NOP of 2 or 5 bytes, and whose every form is one
 * instruction of that length.
 */
#define MARKER_GATE_NOP(bytes)						\
	"771: " bytes "\n\t"						\
	MARKER_GATE_ENTRY("%l[open]")					\
	MARKER_RESERVE("771b", "%l[open]")

/* A NOP of several instructions; the second one begins at @second. */
#define MARKER_GATE_SPLIT(bytes, second)				\
	"771: " bytes "\n\t"						\
	MARKER_GATE_ENTRY("%l[open]")					\
	MARKER_EDGE(771b, %l[open])					\
	MARKER_KEEP_OFF("771b")						\
	MARKER_KEEP_OFF("771b + " #second)

/* clang takes what only an asm goto jumps to for cold, and this on functions only. */
#ifdef __clang__
#define MARKER_COLD_LABEL
#else
#define MARKER_COLD_LABEL	__cold
#endif

#define MARKER_GATE(name, code, ...)					\
static __always_inline bool						\
marker_gate_##name(struct marker_site *const site)			\
{									\
	asm goto(code : : [site] "i" (site), [on] "i" (&site->on)	\
		 MARKER_RESERVE_OPERANDS				\
		 : "cc", ##__VA_ARGS__ : open);				\
	return false;							\
open: MARKER_COLD_LABEL;						\
	return true;							\
}

/*
 * The same for gates with a 32-bit jump: where the cold block's call (its last
 * byte is the 22nd with two constant arguments) would cross a cache line, which
 * costs a cycle, the block begins in the next line.  Nothing jumps to @pad; gcc
 * has to believe it, and puts it before @open.  For an IBT kernel clang begins
 * each of them with an ENDBR: that is no padding, and objtool finds it unreachable.
 */
#ifdef __clang__
#define MARKER_GATE_FAR		MARKER_GATE
#else
#define MARKER_GATE_FAR(name, code, ...)				\
static __always_inline bool						\
marker_gate_##name(struct marker_site *const site)			\
{									\
	asm goto(code : : [site] "i" (site) MARKER_RESERVE_OPERANDS	\
		 : "cc", ##__VA_ARGS__ : open, pad);			\
	return false;							\
pad: __cold;								\
	asm volatile(".p2align 6, , 21");				\
open: __cold;								\
	return true;							\
}
#endif

#define MARKER_NOP2	".byte 0x66, 0x90"
#define MARKER_NOP5	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00"

MARKER_GATE(generic,
	    "771: movzbl %c[on](%%rip), %%eax\n\t"
	    "test %%al, %%al\n\t"
	    "jne %l[open]\n\t"
	    MARKER_GATE_ENTRY("%l[open]"), "eax")

/* The edge is only there because kprobes would copy the mov into a jump's detour. */
MARKER_GATE(imm,
	    "771: movb $0, %%al\n\t"
	    "test %%al, %%al\n\t"
	    "jne %l[open]\n\t"
	    MARKER_GATE_ENTRY("%l[open]")
	    MARKER_EDGE(771b, %l[open])
	    MARKER_KEEP_OFF("771b"), "eax")

MARKER_GATE_FAR(jcc,
		"cmp %%eax, %%eax\n\t"
		"771: %{disp32%} jne %l[open]\n\t"
		MARKER_GATE_ENTRY("%l[open]")
		MARKER_KEEP_OFF("771b"))

MARKER_GATE(jcc8,
	    "cmp %%eax, %%eax\n\t"
	    "771: .byte 0x75, %l[open] - 772f\n\t"
	    "772:\n\t"
	    MARKER_REL8_GUARD("772b", "%l[open]")
	    MARKER_GATE_ENTRY("%l[open]")
	    MARKER_KEEP_OFF("771b"))

MARKER_GATE(nop2,
	    MARKER_GATE_NOP(MARKER_NOP2 "; 772:")
	    MARKER_REL8_GUARD("772b", "%l[open]"))
MARKER_GATE(flip8,
	    MARKER_GATE_NOP(MARKER_NOP2 "; 772:")
	    MARKER_REL8_GUARD("772b", "%l[open]"))

MARKER_GATE_FAR(nop5, MARKER_GATE_NOP(MARKER_NOP5))
MARKER_GATE_FAR(flip, MARKER_GATE_NOP(MARKER_NOP5))
MARKER_GATE_FAR(pun, MARKER_GATE_NOP(MARKER_NOP5))
MARKER_GATE_FAR(auto, MARKER_GATE_NOP(MARKER_NOP5))

/* Not a true NOP in 64-bit code: its lea clears the upper half of %rsi. */
MARKER_GATE_FAR(nop14,
		MARKER_GATE_SPLIT(".byte 0x90, 0x8d, 0x74, 0x26, 0x00", 1), "rsi")

MARKER_GATE_FAR(nop23,
		MARKER_GATE_SPLIT(".byte 0x66, 0x66, 0x90, 0x66, 0x90", 3))

#include "calls.h"
#include "site_operands.h"

#endif
