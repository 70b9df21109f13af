/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of this folder on x86-64, as markers/arch/x86/gates.h has those of the core:
 *
 *	kind	closed				open		bytes
 *	nop2	66 90				eb rel8		2
 *	nop14	90, 8d 74 26 00			e9 rel32	5
 *	nop23	66 66 90, 66 90			e9 rel32	5
 *	jcc	cmp %eax,%eax; 0f 85 rel32	0f 84 rel32	8
 *	jcc8	cmp %eax,%eax; 75 rel8		74 rel8		4
 *	flip8	a8 rel8  test $imm8,%al		eb rel8		2
 *	call	0f 1f 44 00 00			e8 rel32	5
 *
 * flip8 is compiled as nop2 and gets its bytes when markers.ko sees the module.
 * Encoding is in rows.c.
 *
 * Sources: jcc is gaudet's proposal and nop14/nop23 are measured in the 2006 marker
 * thread.
 */
#ifndef BENCH_GATES_CODE_H
#define BENCH_GATES_CODE_H

#include "bench_gates.h"

#define MARKER_NOP2	".byte 0x66, 0x90"

/* Does not assemble when @to is out of reach of the rel8 that ends at @end. */
#define MARKER_REL8_GUARD(end, to)					\
	".pushsection .discard.marker_rel8\n\t"				\
	".byte " to " - " end " + 128, 127 + " end " - " to "\n\t"	\
	".popsection\n\t"

/* A NOP of several instructions; the second one begins at @second. */
#define MARKER_GATE_SPLIT(bytes, second)				\
	"771: " bytes "\n\t"						\
	MARKER_GATE_ENTRY("%l[open]")					\
	MARKER_EDGE(771b, %l[open])					\
	MARKER_KEEP_OFF("771b")						\
	MARKER_KEEP_OFF("771b + " #second)

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

/* Not a true NOP in 64-bit code: its lea clears the upper half of %rsi. */
MARKER_GATE_FAR(nop14,
		MARKER_GATE_SPLIT(".byte 0x90, 0x8d, 0x74, 0x26, 0x00", 1), "rsi")

MARKER_GATE_FAR(nop23,
		MARKER_GATE_SPLIT(".byte 0x66, 0x66, 0x90, 0x66, 0x90", 3))

#define MARKER_INSN_NOP							\
	"771: " MARKER_NOP5 "\n772:\n\t"				\
	MARKER_GATE_ENTRY("771b")					\
	MARKER_RESERVE("771b", "772b")

/* The gate of MARK_CALL() is the call itself. */
#define marker_call_nop(site, ...)					\
	MARKER_CONCAT(marker_call_, MARKER_COUNT(__VA_ARGS__))		\
		(MARKER_INSN_NOP, site, ##__VA_ARGS__)

#endif
