/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the time stamp counter so that the reads bound what is measured.
 * The unit is the tick, which is neither a cycle nor of any promised length.
 *
 *	begin	lfence; rdtsc; lfence	all before has ended, nothing after began
 *	end	rdtscp; lfence		waits for all before by itself
 *
 * LFENCE lets the next instruction begin when the ones before have completed
 * (Intel SDM vol. 2A; on AMD since Linux 4.15 sets the MSR that makes it so).
 *
 * Context: any.  Sense only where the caller stays on one CPU.
 */
#ifndef BENCH_FENCE_H
#define BENCH_FENCE_H

#include "env.h"

/* Whether the CPU has RDTSCP; without, the end is read as the begin is. */
bool tsc_has_rdtscp(void);

/* The reads in words, for a report. */
const char *tsc_fence_name(bool rdtscp);

/*
 * The greatest common divisor of the distances between many reads: a counter
 * may go up by more than one at a time.
 */
u32 tsc_measure_step(void);

static __always_inline u64 tsc_begin(void)
{
	u32 low, high;

	asm volatile("lfence\n\trdtsc\n\tlfence"
		     : "=a" (low), "=d" (high) : : "memory");
	return (u64)high << 32 | low;
}

static __always_inline u64 tsc_end(bool rdtscp)
{
	u32 low, high;

	if (!rdtscp)
		return tsc_begin();
	asm volatile("rdtscp\n\tlfence"
		     : "=a" (low), "=d" (high) : : "rcx", "memory");
	return (u64)high << 32 | low;
}

#endif
