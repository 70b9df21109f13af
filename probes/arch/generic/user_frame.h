/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames of user programs on an architecture whose frames are unknown: none. */
#ifndef PROBES_ARCH_USER_FRAME_H
#define PROBES_ARCH_USER_FRAME_H

#include <asm/ptrace.h>

#define MARKER_HAS_USER_FRAMES	false

static inline void marker_user_frame_first(const struct pt_regs *regs, unsigned long *ip,
					   unsigned long *frame)
{
	*ip = 0;
	*frame = 0;
}

static inline unsigned long marker_user_frame_return(unsigned long address)
{
	return address;
}

#endif
