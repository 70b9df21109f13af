// SPDX-License-Identifier: GPL-2.0-only
/*
 * The measured loops: one function for each way to read the counter and each test,
 * so that only the tested code is between the reads.
 *
 * A counter that steps by several ticks can fall into step with the loop, and
 * then shows the same few phases of its step over and over.  So a pause of
 * changing length goes before each sample.
 *
 * As in the paper, the pairs of reads are executed a few times before, to have
 * them in the cache, and interrupts and preemption are off around each sample.
 */
#include "measured.h"
#include "series.h"

#define WARM_UP_PAIRS	3

/* BEFORE and BETWEEN are statements: before the first read, and between the reads. */
#define FILL(fence, test, BEFORE, BETWEEN)				\
static noinline notrace void fence##_##test(struct series *series,	\
					    struct ensemble *ensemble,	\
					    u32 samples, u64 limit)	\
{									\
	unsigned int i, pause;						\
	unsigned long flags;						\
	u64 start = 0, end = 0;						\
	u32 variable;							\
									\
	for (i = 0; i < WARM_UP_PAIRS; i++) {				\
		start = fence_##fence##_begin();			\
		BETWEEN;						\
		end = fence_##fence##_end();				\
	}								\
	for (i = 0; i < samples; i++) {					\
		variable = 0;						\
		preempt_disable();					\
		local_irq_save(flags);					\
		for (pause = i & series->dither; pause; pause--)	\
			barrier();					\
		BEFORE;							\
		start = fence_##fence##_begin();			\
		BETWEEN;						\
		end = fence_##fence##_end();				\
		local_irq_restore(flags);				\
		preempt_enable();					\
		marker_bench_series_take(series, ensemble, start, end, limit);	\
	}								\
	(void)variable;							\
}

#define NOTHING			do { } while (0)

#define FILLS(fence, reads, has)					\
FILL(fence, offset, NOTHING, NOTHING)					\
FILL(fence, stores, NOTHING, measured_stores(ensemble->stores, &variable)) \
FILL(fence, before, measured_chain(), NOTHING)				\
FILL(fence, inside, NOTHING, measured_chain())

FENCES_ALL(FILLS)

/* In the order of enum fence_number and of enum series_test. */
#define FILLS_ENTRY(fence, reads, has)					\
	{ fence##_offset, fence##_stores, fence##_before, fence##_inside },

series_fill *const marker_bench_series_fills[FENCE_COUNT][SERIES_TESTS] = {
	FENCES_ALL(FILLS_ENTRY)
};
