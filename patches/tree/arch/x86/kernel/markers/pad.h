/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_X86_MARKERS_PAD_H
#define _ASM_X86_MARKERS_PAD_H

/*
 * No landing pads, 128 KB of text that would save one round of interrupts: what is
 * compiled as a pun gate becomes a flip gate.
 */
#define MARKER_PAD_OPS	NULL

#endif
