/* SPDX-License-Identifier: GPL-2.0-only */
/* Interface between the breakpoint handler of an architecture and rounds.c. */
#ifndef MARKERS_ROUNDS_H
#define MARKERS_ROUNDS_H

#include "env.h"

/* Action for a breakpoint. */
enum marker_patch_verdict {
	PATCH_NOT_OURS,
	PATCH_RETRY,		/* the int3 is gone: execute the address again */
	PATCH_JUMP,		/* continue at @to */
	PATCH_CALL,		/* push the return address, continue at @to */
};

/* Context: the breakpoint handler, interrupts off; may be an NMI. */
enum marker_patch_verdict marker_patch_trap(u8 *addr, u8 **to);

#endif
