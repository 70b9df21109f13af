// SPDX-License-Identifier: GPL-2.0-only
/* The table of fence.h, and measurements of the counter's properties. */
#include "chain.h"
#include "fence.h"

#define CHAIN_TIMES	5
#define STEP_READS	2000
#define OFFSET_SAMPLES	1000
#define OFFSET_MOST	4	/* times the least; longer ones were interrupted */

#define FENCE_TIME(fence, reads, has)					\
static u64 fence##_time(void (*fn)(unsigned long n), unsigned long n)	\
{									\
	u64 start = fence_##fence##_begin();				\
									\
	fn(n);								\
	return fence_##fence##_end() - start;				\
}									\
									\
static u64 fence##_now(void)						\
{									\
	return fence_##fence##_begin();					\
}

FENCES_ALL(FENCE_TIME)

#define FENCE_ENTRY(fence, reads, has)	{ #fence, reads, has, fence##_time, fence##_now },

/* In the order of enum fence_number, which is made of the same list. */
const struct fence marker_bench_fences[FENCE_COUNT] = { FENCES_ALL(FENCE_ENTRY) };

const struct fence *marker_bench_fence_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < FENCE_COUNT; i++)
		if (*name ? !strcmp(marker_bench_fences[i].name, name) :
			    marker_bench_fences[i].has())
			return &marker_bench_fences[i];
	return NULL;
}

static u32 common_divisor(u32 a, u32 b)
{
	while (b) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

u32 marker_bench_fence_step(const struct fence *fence)
{
	u64 last = fence->now(), now;
	u32 step = 0;
	int i, j;

	for (i = 0; i < STEP_READS; i++) {
		/*
		 * Vary the length of the loop, because otherwise each distance might be the same.
		 */
		for (j = i % 16; j; j--)
			barrier();
		now = fence->now();
		step = common_divisor(now - last, step);
		last = now;
	}
	return step ?: 1;
}

static noinline notrace void do_nothing(unsigned long unused)
{
	barrier();
}

/* The first pass finds the minimum; the second leaves out samples much longer than it. */
u32 marker_bench_fence_ticks(const struct fence *fence)
{
	u64 least = U64_MAX, sum = 0, ticks;
	u32 i, n = 0;

	for (i = 0; i < OFFSET_SAMPLES; i++) {
		ticks = fence->time(do_nothing, 0);
		if (ticks)	/* 0 is less than a step of the counter */
			least = min(least, ticks);
	}
	for (i = 0; i < OFFSET_SAMPLES; i++) {
		ticks = fence->time(do_nothing, 0);
		if (ticks / OFFSET_MOST > least)
			continue;
		sum += ticks;
		n++;
	}
	return n ? div_u64(sum + n / 2, n) : 0;
}

static void run_adds(unsigned long unused)
{
	chain_adds();
}

static void run_imuls(unsigned long unused)
{
	chain_imuls();
}

static int compare_ticks(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The median of several times: an interruption, which takes microseconds, is in few. */
static u32 time_chain(const struct fence *fence, void (*fn)(unsigned long unused))
{
	u32 ticks[CHAIN_TIMES];
	unsigned int i;

	for (i = 0; i < CHAIN_TIMES; i++)
		ticks[i] = fence->time(fn, 0);
	sort(ticks, CHAIN_TIMES, sizeof(*ticks), compare_ticks, NULL);
	return ticks[CHAIN_TIMES / 2];
}

void marker_bench_fence_chains(const struct fence *fence, u32 *adds, u32 *imuls)
{
	*adds = time_chain(fence, run_adds);
	*imuls = time_chain(fence, run_imuls);
}
