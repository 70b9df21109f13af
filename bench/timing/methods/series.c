// SPDX-License-Identifier: GPL-2.0-only
/* Series of samples (series.h). */
#include <linux/log2.h>
#include "samples.h"
#include "series.h"

#define TRY_SAMPLES	64		/* to find out how long a sample is */
#define TRY_STORES	2000
#define DITHER_STEPS	2		/* rounds of a cycle or so, for all phases of a step */
#define SLACK_STEPS	64		/* a sample so many steps longer is not disturbed yet */
#define BINS_BELOW	256		/* the least of the first ensemble has that bin */

void marker_bench_series_take(struct series *series, struct ensemble *ensemble, u64 start, u64 end,
			      u64 limit)
{
	u64 ticks = end - start, bin = 0;

	if (end < start) {
		ensemble->backwards++;
		return;
	}
	if (ticks > limit) {
		ensemble->disturbed++;
		ensemble->worst = max(ensemble->worst, ticks);
		return;
	}
	ensemble->kept++;
	ensemble->sum += ticks;
	ensemble->squares += (__uint128_t)ticks * ticks;
	ensemble->min = min(ensemble->min, ticks);
	ensemble->max = max(ensemble->max, ticks);
	if (!series->counting)
		return;
	if (ticks >= series->bin_from) {
		/* A division by a variable, but for the many that fit 32 bits. */
		bin = ticks - series->bin_from;
		bin = bin > UINT_MAX ? SERIES_BINS : (u32)bin / series->step;
		bin = min_t(u64, bin, SERIES_BINS) + 1;
	}
	series->bins[bin]++;
}

static void fill(struct series *series, struct ensemble *ensemble, u32 samples, u64 limit)
{
	enum fence_number fence = series->plan.fence - marker_bench_fences;

	ensemble->min = U64_MAX;
	marker_bench_series_fills[fence][series->plan.test](series, ensemble, samples, limit);
}

/* The least of a few samples, which are not counted. */
static u64 try_least(struct series *series, u32 stores)
{
	struct ensemble tried = { .stores = stores };

	series->counting = false;
	fill(series, &tried, TRY_SAMPLES, U64_MAX);
	series->counting = true;
	return tried.kept ? tried.min : 0;
}

/*
 * Return the number of stores that take half a step of the counter, so that the loop can be
 * resolved.
 */
static u32 find_stride(struct series *series)
{
	u64 none = try_least(series, 0), many = try_least(series, TRY_STORES);
	u64 stride;

	if (many <= none || many - none > UINT_MAX / 2)
		return 1;
	stride = div_u64((u64)series->step * TRY_STORES + 2 * (many - none) - 1,
			 2 * (many - none));
	return clamp_t(u64, stride, 1, SERIES_STRIDE_MAX);
}

static void time_chains(struct series *series, unsigned int when)
{
	unsigned long flags;

	local_irq_save(flags);
	marker_bench_fence_chains(series->plan.fence, &series->adds[when], &series->imuls[when]);
	local_irq_restore(flags);
}

static void run_ensemble(struct series *series, u32 number)
{
	const struct series_plan *plan = &series->plan;
	struct ensemble *ensemble = &series->at[series->n++];
	u64 limit = U64_MAX, start;

	memset(ensemble, 0, sizeof(*ensemble));
	ensemble->number = number;
	if (plan->test == SERIES_STORES)
		ensemble->stores = number * series->stride;
	migrate_disable();
	start = plan->fence->now();
	if (plan->tolerance)
		limit = try_least(series, ensemble->stores) * plan->tolerance +
			(u64)SLACK_STEPS * series->step;
	fill(series, ensemble, plan->samples, limit);
	ensemble->took = plan->fence->now() - start;
	migrate_enable();
}

/* Make room for @more ensembles. */
static int reserve(struct series *series, u32 more)
{
	unsigned int room = series->n + more;
	struct ensemble *at;

	if (room > SERIES_ENSEMBLES_MAX)
		return -EINVAL;
	at = kvcalloc(room, sizeof(*at), GFP_KERNEL);
	if (!at)
		return -ENOMEM;
	if (series->n)
		memcpy(at, series->at, series->n * sizeof(*at));
	kvfree(series->at);
	series->at = at;
	series->room = room;
	return 0;
}

static struct series *add_series(struct list_head *all, const struct series_plan *plan, bool chains)
{
	struct series *series = kvzalloc(sizeof(*series), GFP_KERNEL);
	u64 least;

	if (!series)
		return NULL;
	series->plan = *plan;
	series->step = marker_bench_fence_step(plan->fence);
	if (series->step > 1)
		series->dither = roundup_pow_of_two(DITHER_STEPS * series->step) - 1;
	series->stride = plan->stride;
	if (plan->test == SERIES_STORES && !plan->stride)
		series->stride = find_stride(series);
	series->counting = true;
	least = try_least(series, plan->test == SERIES_STORES ? plan->from * series->stride : 0);
	series->bin_from = least - min_t(u64, least, BINS_BELOW * series->step);
	if (chains)
		time_chains(series, BENCH_BEFORE);
	list_add_tail(&series->of, all);
	return series;
}

static struct series *find_series(struct list_head *all, const struct series_plan *plan)
{
	struct series *last;

	if (list_empty(all))
		return NULL;
	last = list_last_entry(all, struct series, of);
	if (last->plan.fence != plan->fence || last->plan.test != plan->test ||
	    last->plan.samples != plan->samples || last->plan.stride != plan->stride ||
	    last->plan.tolerance != plan->tolerance ||
	    last->plan.from + last->n != plan->from)
		return NULL;
	return last;
}

int marker_bench_series_run(struct list_head *all, const struct series_plan *plan, bool chains,
			    int (*progress)(unsigned int done, unsigned int total))
{
	struct series *series = find_series(all, plan);
	unsigned int i;
	int ret;

	if (!plan->fence->has()) {
		pr_err("fence=%s: this CPU lacks it\n", plan->fence->name);
		return -EINVAL;
	}
	if (!series)
		series = add_series(all, plan, chains);
	if (!series)
		return -ENOMEM;
	ret = reserve(series, plan->ensembles);
	for (i = 0; i < plan->ensembles && !ret; i++) {
		run_ensemble(series, plan->from + i);
		ret = progress ? progress(i + 1, plan->ensembles) : 0;
		cond_resched();
	}
	if (chains && !ret)
		time_chains(series, BENCH_AFTER);
	return ret;
}

void marker_bench_series_clear(struct list_head *all)
{
	struct series *series, *next;

	list_for_each_entry_safe(series, next, all, of) {
		list_del(&series->of);
		kvfree(series->at);
		kvfree(series);
	}
}
