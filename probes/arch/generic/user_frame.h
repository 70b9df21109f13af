/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames of user programs on an architecture whose frames are unknown: none. */
#ifndef PROBES_ARCH_USER_FRAME_H
#define PROBES_ARCH_USER_FRAME_H

#include <asm/ptrace.h>

#define MARKER_HAS_USER_FRAMES	false
#define MARKER_USER_ADDRESS	ULONG_MAX

static inline void marker_user_frame_first(const struct pt_regs *regs, unsigned long *ip,
					   unsigned long *frame)
{
	*ip = 0;
	*frame = 0;
}

#endif
