/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to read the generic timer on arm64, at both ends of the measured code.  fence.h
 * makes a table of them; in a kernel the cycle counter comes first (env/arm64).
 *
 *	name	begin and end
 *	isb	isb;mrs cntvct_el0;isb
 *	dsb	dsb sy;isb;mrs cntvct_el0;isb
 *	cntvct	mrs cntvct_el0
 *
 * A CPU may read the counter before earlier instructions; with ISB, the next instruction
 * begins when all before are complete but for stores and loads, for which DSB waits (Arm ARM,
 * DDI 0487, D11.2 and B2.3).  The counter has a fixed rate and is the same on all CPUs.
 *
 * Context: any.
 */
#ifndef BENCH_FENCES_H
#define BENCH_FENCES_H

#include "env_site.h"

#define FENCE_READ(name, reads)						\
static __always_inline u64 fence_##name(void)				\
{									\
	u64 count;							\
									\
	asm volatile(reads : "=r" (count) : : "memory");		\
	return count;							\
}

FENCE_READ(isb_begin, "isb\n\tmrs %0, cntvct_el0\n\tisb")
FENCE_READ(dsb_begin, "dsb sy\n\tisb\n\tmrs %0, cntvct_el0\n\tisb")
FENCE_READ(cntvct_begin, "mrs %0, cntvct_el0")
#define fence_isb_end		fence_isb_begin
#define fence_dsb_end		fence_dsb_begin
#define fence_cntvct_end	fence_cntvct_begin

/* A read of a counter names its register in the instruction, so that no value is lost. */
static __always_inline u32 fence_naive(u32 value)
{
	return value;
}

/* Read the counter as for an event; and ordered with the code around the read. */
#define counter_now		fence_cntvct_begin
#define counter_now_ordered	fence_isb_begin

/* True on every CPU: the generic timer is a part of the architecture. */
static inline bool cpu_has_cntvct(void)
{
	return true;
}

/* The counterpart of the TSC is the generic timer, whatever else a kernel counts with. */
static inline bool cpu_has_invariant_tsc(void)
{
	return true;
}

/* X(name, the reads in words, whether this CPU has it); the default first. */
#define FENCES(X)							\
	X(isb, "isb;mrs cntvct_el0;isb", cpu_has_cntvct)		\
	X(dsb, "dsb sy;isb;mrs cntvct_el0;isb", cpu_has_cntvct)		\
	X(cntvct, "mrs cntvct_el0, no fence at all", cpu_has_cntvct)

#endif
