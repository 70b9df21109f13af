/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of arm64: the code at a site.
 *
 *	kind	closed			open		bytes
 *	generic	ldrb on; cbnz		(data)		8, or more
 *	nop5	nop			b cold		4
 *	kprobe	-			(a kprobe)	0
 *
 * All instructions have 4 bytes, and a NOP, a B and a BL may be replaced by one another
 * while other CPUs execute them, so gates of which only one byte
 * changes gain nothing: flip and pun are generic here.  So is imm, for its MOVZ.
 * nop5 has its name from x86-64, as names of kinds are the same everywhere.
 *
 * An open gate is a direct branch, which needs no landing pad where branch targets are
 * checked (BTI).  Encoding and decoding are in gates.c.
 */
#ifndef MARKERS_ARCH_GATES_H
#define MARKERS_ARCH_GATES_H

#include "marker_abi.h"

/* The kinds that are code here; MARKER_KIND() of any other name is GENERIC. */
#define MARKER_CODE_NOP5	, MARKER_GATE_NOP5
#define MARKER_CODE_KPROBE	, MARKER_GATE_KPROBE
#define MARKER_CODE_AUTO	, MARKER_GATE_AUTO
#define MARKER_KIND(NAME)	MARKER_KIND_(MARKER_CODE_##NAME, MARKER_GATE_GENERIC, 0)
#define MARKER_KIND_(...)	MARKER_SECOND(__VA_ARGS__)
#define MARKER_SECOND(a, b, ...)	b

#define MARKER_GATE_ENTRY(cold)						\
	".pushsection .discard_marker_gates, \"aw\"\n\t"		\
	".balign 4\n\t"							\
	".long 771b - ., " cold " - ., %c[site] - .\n\t"		\
	".popsection\n\t"

static __always_inline bool marker_gate_generic(const struct marker_site *site)
{
	if (likely(!READ_ONCE(site->on)))
		return false;
	/* The flag before the link.  Pairs with publish(). */
	smp_rmb();
	return true;
}

/* clang takes a target of an asm goto alone for cold; the attribute is for functions only. */
#ifdef __clang__
#define MARKER_COLD_LABEL
#else
#define MARKER_COLD_LABEL	__cold
#endif

static __always_inline bool marker_gate_nop5(struct marker_site *const site)
{
	asm goto("771: nop\n\t"
		 MARKER_GATE_ENTRY("%l[open]")
		 MARKER_RESERVE("771b", "%l[open]")
		 : : [site] "i" (site) MARKER_RESERVE_OPERANDS : : open);
	return false;
open: MARKER_COLD_LABEL;
	return true;
}

#define marker_gate_auto	marker_gate_nop5
#define marker_gate_imm		marker_gate_generic
#define marker_gate_flip	marker_gate_generic
#define marker_gate_pun		marker_gate_generic

#include "calls.h"
#include "site_operands.h"

#endif
