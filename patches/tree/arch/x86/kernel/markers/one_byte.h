/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_X86_MARKERS_ONE_BYTE_H
#define _ASM_X86_MARKERS_ONE_BYTE_H

/* No gates but those that the kernel's functions for text can write, and no landing pads. */
#define MARKER_ONE_BYTE_GATES
#define MARKER_PAD_OPS	NULL

#endif
