/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of x86-64: the code at a site, and the call behind it.
 *
 *	kind	closed				open		bytes
 *	generic	movzbl on(%rip),%eax; test; jne	(data)		11, 15
 *	imm	mov $0,%al; test %al,%al; jne	mov $1,%al	6, 10
 *	nop5	0f 1f 44 00 00			e9 rel32	5
 *	flip	a9 rel32  test $imm32,%eax	e9 rel32	5
 *	pun	0f 1f 44 SS DD			e9 1f 44 SS DD	5
 *	kprobe	-				(a kprobe)	0
 *
 * (The second size of generic and imm is that of a long jne.)  flip and pun are
 * compiled as nop5, and get their bytes when markers.ko sees the module, because
 * MARKER_RESERVE() needs a NOP.  Each function tells an open from a closed gate by
 * a branch, not by a value.  Encoding and decoding are in gates.c.
 *
 * The operand of a long NOP is ignored: Intel SDM vol. 2B, NOP.
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

/*
 * A gate that is compiled as a NOP of 2 or 5 bytes, and whose every form is one
 * instruction of that length.
 */
#define MARKER_GATE_NOP(bytes)						\
	"771: " bytes "\n\t"						\
	MARKER_GATE_ENTRY("%l[open]")					\
	MARKER_RESERVE("771b", "%l[open]")

/*
 * In gcc a label can be cold.  clang has this attribute for functions only, and treats the
 * targets of an asm goto as cold.
 */
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
 * Like MARKER_GATE(), for gates with a 32-bit jump. If the cold block's call (its last byte is the
 * 22nd with two constant arguments) would cross a cache line, which costs a cycle, the block
 * begins in the next line. Nothing jumps to @pad, but gcc believes that the gate does and puts
 * @pad before @open. For an IBT kernel clang would begin both with an ENDBR, which is no padding,
 * and which objtool reports as unreachable.
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

MARKER_GATE_FAR(nop5, MARKER_GATE_NOP(MARKER_NOP5))
MARKER_GATE_FAR(flip, MARKER_GATE_NOP(MARKER_NOP5))
MARKER_GATE_FAR(pun, MARKER_GATE_NOP(MARKER_NOP5))
MARKER_GATE_FAR(auto, MARKER_GATE_NOP(MARKER_NOP5))

#include "calls.h"
#include "site_operands.h"

#endif
