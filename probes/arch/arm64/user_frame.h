/* SPDX-License-Identifier: GPL-2.0-only */
/* The place of a user program, and its first frame, to which x29 points. */
#ifndef PROBES_ARCH_USER_FRAME_H
#define PROBES_ARCH_USER_FRAME_H

#include <asm/processor.h>
#include <asm/ptrace.h>

#define MARKER_HAS_USER_FRAMES	true
/* A program may sign the return address of a frame (PAC) in the other bits. */
#define MARKER_USER_ADDRESS	(TASK_SIZE_64 - 1)

static inline void marker_user_frame_first(const struct pt_regs *regs, unsigned long *ip,
					   unsigned long *frame)
{
	*ip = regs->pc;
	/* Frames of 32-bit programs have another size. */
	*frame = compat_user_mode(regs) ? 0 : regs->regs[29];
}

#endif
