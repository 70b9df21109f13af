/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cycle counter of the performance monitors, which only a kernel can switch on (machine.h). It
 * is the default where it exists: under -icount in QEMU, one tick of the generic timer, at 62.5
 * MHz, is 16 instructions, and one tick of this counter, at 1 GHz, is one instruction.
 */
#ifndef BENCH_PRIVILEGED_H
#define BENCH_PRIVILEGED_H

#include <asm/cputype.h>
#include <asm/sysreg.h>
#include "fences.h"

/* 0: no performance monitors; 15: some that are not Arm's. */
static inline bool cpu_has_pmccntr(void)
{
	u64 version = read_cpuid(ID_AA64DFR0_EL1) >> 8 & 15;

	return version && version != 15;
}

FENCE_READ(pmccntr_begin, "isb\n\tmrs %0, pmccntr_el0\n\tisb")
#define fence_pmccntr_end	fence_pmccntr_begin

#define FENCES_ALL(X)							\
	X(pmccntr, "isb;mrs pmccntr_el0;isb, the cycle counter", cpu_has_pmccntr) \
	FENCES(X)

#endif
