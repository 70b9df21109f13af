/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers that arch/x86/operands.c needs of the kernel's header. */
#ifndef TESTING_OPERANDS_X86_PTRACE_H
#define TESTING_OPERANDS_X86_PTRACE_H

#include "env.h"

struct pt_regs {
	unsigned long ax, bx, cx, dx, si, di, bp, sp;
	unsigned long r8, r9, r10, r11, r12, r13, r14, r15;
};

#endif
