// SPDX-License-Identifier: GPL-2.0-only
/*
 * Series of a counter whose every reading is known, so that tools/testing/native/methods/model.py
 *can say what each column has to be: the counter goes up by STEP or a multiple of it, a store takes
 *STORE_TICKS hundredths of a tick, and of eight samples one is as long as the limit allows, one is
 *longer, and one ends before it begins.
 *
 *	model stores | offset | skew
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/seq_file.h>
#include "series.h"
#include "skew.h"

#define STEP 6
#define STORE_TICKS 1 /* hundredths of a tick */
#define BASE_TICKS 6000 /* a sample without a store */
#define PASS_TICKS 1000 /* between two samples */

static u64 counter = 1000003; /* no multiple of the step */
static unsigned int reads, chains;

static u64 model_now(void)
{
	static const unsigned int steps[] = { 2, 3, 5 };

	return counter += STEP * steps[reads++ % ARRAY_SIZE(steps)];
}

static bool model_has(void)
{
	return true;
}

const struct fence marker_bench_fences[FENCE_COUNT] = {
	[0 ... FENCE_COUNT - 1] = { "model", "model .. model", model_has, NULL, model_now },
};

const struct fence *marker_bench_fence_find(const char *name)
{
	return *name && strcmp(name, "model") ? NULL : marker_bench_fences;
}

u32 marker_bench_fence_step(const struct fence *fence)
{
	return fence == marker_bench_fences ? STEP : 0;
}

/* No two times are equal. */
void marker_bench_fence_chains(const struct fence *fence, u32 *adds, u32 *imuls)
{
	static const u32 ticks[] = { 65001, 98003, 65017, 98029 };

	*adds = ticks[chains++ % ARRAY_SIZE(ticks)];
	*imuls = ticks[chains++ % ARRAY_SIZE(ticks)];
}

static void model_fill(struct series *series, struct ensemble *ensemble, u32 samples, u64 limit)
{
	u64 ticks = BASE_TICKS + ensemble->stores * STORE_TICKS / 100, end;
	u32 i;

	for (i = 0; i < samples; i++) {
		counter += PASS_TICKS;
		end = counter + ticks;
		if (limit != U64_MAX && i % 8 == 3)
			end = counter + limit;
		else if (limit != U64_MAX && i % 8 == 4)
			end = counter + limit + 1;
		else if (limit != U64_MAX && i % 8 == 5)
			end = counter - 1;
		else if (i % 8 == 6)
			end += STEP;
		marker_bench_series_take(series, ensemble, counter, end, limit);
	}
}

/* The ends of the bins, to a tick on both sides. */
static void model_ends(struct series *series, struct ensemble *ensemble, u32 samples, u64 limit)
{
	const u64 first = BASE_TICKS - 256 * STEP, last = first + (u64)SERIES_BINS * STEP;
	const u64 ticks[] = { first - 1, first, first + STEP - 1,     first + STEP,
			      last - 1,	 last,	last + 0x100000000ull };
	u32 i;

	for (i = 0; i < samples; i++)
		marker_bench_series_take(
			series, ensemble, 0,
			series->counting ? ticks[i % ARRAY_SIZE(ticks)] : BASE_TICKS, limit);
}

series_fill *const marker_bench_series_fills[FENCE_COUNT][SERIES_TESTS] = {
	[0 ... FENCE_COUNT - 1] = { model_ends, model_fill, model_fill, model_fill },
};

static int run(const char *words, struct list_head *all)
{
	struct series_plan plan;
	char line[200];

	snprintf(line, sizeof(line), "%s", words);
	return marker_bench_series_parse(&plan, line) ?:
		       marker_bench_series_run(all, &plan, true, NULL);
}

static int print_series(const char *test)
{
	static const char *const stores[] = {
		"fence=model test=stores from=0 ensembles=2 samples=8 tolerance=4",
		"fence=model test=stores from=2 ensembles=3 samples=8 tolerance=4", /* continues */
		"fence=model test=stores from=5 ensembles=1 samples=16 tolerance=4", /* another one
										      */
		"fence=model test=stores from=7 ensembles=1 samples=16 tolerance=4",
		"fence=model test=stores from=8 ensembles=1 samples=16 tolerance=0",
		"fence=model test=stores from=9 ensembles=1 samples=16 tolerance=0 stride=2",
		"fence=model test=inside from=10 ensembles=1 samples=16 tolerance=0 stride=2",
	};
	struct seq_file out = { stdout };
	struct series *series;
	LIST_HEAD(all);
	unsigned int i, number = 0;

	puts("#kmark-raw/1\n#env\tnative");
	marker_bench_series_print_columns(&out);
	if (!strcmp(test, "offset") && run("test=offset ensembles=1 samples=21", &all))
		return 1;
	for (i = 0; !strcmp(test, "stores") && i < ARRAY_SIZE(stores); i++)
		if (run(stores[i], &all))
			return 1;
	list_for_each_entry(series, &all, of)
		marker_bench_series_print(&out, series, number++);
	marker_bench_series_clear(&all);
	return 0;
}

/* The second round narrows both ends, the third neither. */
static int print_skew(void)
{
	struct seq_file out = { stdout };
	struct skew skew = SKEW_UNKNOWN;

	skew_narrow(&skew, 1000, 51050, 1130);
	skew_narrow(&skew, 2000, 52011, 2025);
	skew_narrow(&skew, 3000, 53050, 3170);
	puts("#kmark-raw/1\n#env\tnative");
	marker_bench_skew_print_columns(&out);
	marker_bench_skew_print_one(&out, 3, 1, &skew);
	skew = SKEW_UNKNOWN;
	skew_narrow(&skew, 90000, 1000, 90040);
	marker_bench_skew_print_one(&out, 1, 3, &skew);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	return !strcmp(argv[1], "skew") ? print_skew() : print_series(argv[1]);
}
