// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the raw lines of a series with one ensemble, made by bench/timing/methods, so that
 * tools/testing/native/method.t can compute the figures again.
 *
 *	unit sum	of the pairs "START END" on stdin
 *	unit record N	of N durations measured now, each of which it prints before
 *	unit chains TICKS...	or the two chains that take such times, one after the other
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/seq_file.h>
#include "series.h"

static struct ensemble ensemble = { .min = U64_MAX };
static struct series series = {
	.plan = { .ensembles = 1 }, .step = 1, .stride = 1, .counting = true,
	.n = 1, .at = &ensemble,
};

static void nothing(unsigned long unused)
{
}

static void record(unsigned long samples)
{
	u64 ticks;

	while (samples--) {
		ticks = series.plan.fence->time(nothing, 0);
		printf("sample\t%llu\n", (unsigned long long)ticks);
		marker_bench_series_take(&series, &ensemble, 0, ticks, U64_MAX);
	}
}

static void sum(void)
{
	unsigned long long start, end;

	while (scanf("%llu %llu", &start, &end) == 2)
		marker_bench_series_take(&series, &ensemble, start, end, U64_MAX);
}

static char **given;

static u64 given_time(void (*fn)(unsigned long n), unsigned long n)
{
	return *given ? strtoull(*given++, NULL, 10) : 0;
}

static void chains(char **ticks)
{
	const struct fence fence = { .time = given_time };
	u32 adds, imuls;

	given = ticks;
	marker_bench_fence_chains(&fence, &adds, &imuls);
	printf("%u %u\n", adds, imuls);
}

int main(int argc, char **argv)
{
	struct seq_file out = { stdout };

	if (argc > 2 && !strcmp(argv[1], "chains")) {
		chains(argv + 2);
		return 0;
	}
	series.plan.fence = marker_bench_fence_find("");
	if (argc == 3 && !strcmp(argv[1], "record"))
		record(strtoul(argv[2], NULL, 10));
	else if (argc == 2 && !strcmp(argv[1], "sum"))
		sum();
	else
		return 2;
	puts("#kmark-raw/1\n#env\tnative");
	marker_bench_series_print_columns(&out);
	marker_bench_series_print(&out, &series, 0);
	return 0;
}
