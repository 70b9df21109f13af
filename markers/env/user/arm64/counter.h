/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counter from which events of a program take their time on arm64: that of the generic timer.
 * The read has no fence, like the read of the TSC on x86 (probes/arch/x86/counter.h).
 */
#ifndef PROBES_COUNTER_H
#define PROBES_COUNTER_H

#include "env.h"

static __always_inline u64 marker_counter_read(void)
{
	u64 count;

	asm volatile("mrs %0, cntvct_el0" : "=r" (count));
	return count;
}

/* Rate of the counter; 0 if the firmware did not set it. */
static inline u32 marker_counter_khz(void)
{
	u64 hz;

	asm volatile("mrs %0, cntfrq_el0" : "=r" (hz));
	return hz / 1000;
}

#endif
