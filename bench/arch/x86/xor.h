/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first form of gaudet's proposal in the 2006 mails, of which the gate jcc is
 * the second: xor instead of cmp sets the flag, and costs a register.  The patched
 * instruction is the same jne.
 */
#ifndef BENCH_XOR_H
#define BENCH_XOR_H

#include "bench_gates.h"

#define MARK_XOR(name, ...) \
	MARKER(xor, JCC, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)

MARKER_GATE_FAR(xor,
		"xor %%eax, %%eax\n\t"
		"771: %{disp32%} jne %l[open]\n\t"
		MARKER_GATE_ENTRY("%l[open]")
		MARKER_KEEP_OFF("771b"), "eax")

/* The same in four bytes, as gaudet wrote it; the cold block must be near. */
#define MARK_XOR8(name, ...) \
	MARKER_NEAR(xor8, JCC8, MARKER_NAME(#name), __marker_is_##name, __VA_ARGS__)

MARKER_GATE(xor8,
	    "xor %%eax, %%eax\n\t"
	    "771: .byte 0x75, %l[open] - 772f\n\t"
	    "772:\n\t"
	    MARKER_REL8_GUARD("772b", "%l[open]")
	    MARKER_GATE_ENTRY("%l[open]")
	    MARKER_KEEP_OFF("771b"), "eax")

#endif
