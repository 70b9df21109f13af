/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to read a counter, as a table to choose from at run time.  The unit is the
 * tick, which is neither a cycle nor of any promised length.  The code of each way is in
 * arch/ARCH/fences.h; their list, FENCES_ALL(), is in privileged.h.
 *
 * Context: any.  The caller has to stay on one CPU.
 */
#ifndef BENCH_FENCE_H
#define BENCH_FENCE_H

#include "env.h"
#include "fences.h"
#include "privileged.h"

#define FENCE_NUMBER(fence, reads, has)	FENCE_##fence,
enum fence_number { FENCES_ALL(FENCE_NUMBER) FENCE_COUNT };

struct fence {
	const char *name;
	const char *reads;		/* in words, for a report */
	bool (*has)(void);		/* whether this CPU has the instructions */
	/* Time fn(n) in ticks; the ticks that this function adds itself are constant. */
	u64 (*time)(void (*fn)(unsigned long n), unsigned long n);
	u64 (*now)(void);		/* one read */
};

extern const struct fence marker_bench_fences[FENCE_COUNT];

/*
 * Find a fence by name, even if this CPU lacks it; "" is the first of this CPU.  NULL: no
 * such one.
 */
const struct fence *marker_bench_fence_find(const char *name);

/* Read the counter that is the same on all CPUs, ordered with the code around the read. */
static __always_inline u64 tsc_now(void)
{
	return counter_now_ordered();
}

/*
 * The greatest common divisor of the distances between many reads by @fence: a counter
 * may go up by more than one at a time.  1 or more.
 */
u32 marker_bench_fence_step(const struct fence *fence);

/*
 * Return the ticks that @fence->time() adds to the timed code: the mean over calls of an empty
 * function, without calls that an interrupt lengthened.
 */
u32 marker_bench_fence_ticks(const struct fence *fence);

/* Time the chains of chain.h, in ticks by @fence. The caller has disabled interrupts. */
void marker_bench_fence_chains(const struct fence *fence, u32 *adds, u32 *imuls);

#endif
