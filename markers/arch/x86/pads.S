/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The areas for the landing pads of pun gates (pad.c): text of int3, so that a stray jump traps.
 * Each 64 KB can hold any pad position once. The bounds of the areas are pointers to text, for
 * which objtool of an IBT kernel would demand an ENDBR.
 */
#ifdef __KERNEL__
#include <linux/objtool.h>
#else
#define ANNOTATE_NOENDBR
#endif

	.text
	.balign	64
	.globl	marker_pads
	.globl	marker_pads_end
	.type	marker_pads, @object
marker_pads:
	ANNOTATE_NOENDBR
	.fill	2 * 65536, 1, 0xcc
marker_pads_end:
	ANNOTATE_NOENDBR
	.byte	0xcc
	.size	marker_pads, . - marker_pads

	.section .note.GNU-stack, "", @progbits
