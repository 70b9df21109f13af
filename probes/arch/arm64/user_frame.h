/* SPDX-License-Identifier: GPL-2.0-only */
/* The place of a user program, and its first frame, to which x29 points. */
#ifndef PROBES_ARCH_USER_FRAME_H
#define PROBES_ARCH_USER_FRAME_H

#include <asm/processor.h>
#include <asm/ptrace.h>

#define MARKER_HAS_USER_FRAMES	true

static inline void marker_user_frame_first(const struct pt_regs *regs, unsigned long *ip,
					   unsigned long *frame)
{
	*ip = regs->pc;
	/* Frames of 32-bit programs have another size. */
	*frame = compat_user_mode(regs) ? 0 : regs->regs[29];
}

/* Return the return address of a frame without the signature (PAC) that a program may add to it. */
static inline unsigned long marker_user_frame_return(unsigned long address)
{
	return address & (TASK_SIZE_64 - 1);
}

#endif
