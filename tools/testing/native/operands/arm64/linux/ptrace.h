/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers that arch/arm64/operands.c needs of the kernel's header. */
#ifndef TESTING_OPERANDS_ARM64_PTRACE_H
#define TESTING_OPERANDS_ARM64_PTRACE_H

#include "env.h"

struct pt_regs {
	u64 regs[31];
	u64 sp;
};

#endif
