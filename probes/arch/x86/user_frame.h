/* SPDX-License-Identifier: GPL-2.0-only */
/* The place of a user program, and its first frame, to which %rbp points. */
#ifndef PROBES_ARCH_USER_FRAME_H
#define PROBES_ARCH_USER_FRAME_H

#include <linux/thread_info.h>
#include <asm/ptrace.h>

#define MARKER_HAS_USER_FRAMES	true
#define MARKER_USER_ADDRESS	ULONG_MAX

static inline void marker_user_frame_first(const struct pt_regs *regs, unsigned long *ip,
					   unsigned long *frame)
{
	*ip = regs->ip;
	/* Frames of 32-bit programs have another size. */
	*frame = test_thread_flag(TIF_ADDR32) ? 0 : regs->bp;
}

#endif
