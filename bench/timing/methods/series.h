/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a way to read the counter, for the evaluation of
 * Paoloni, "How to Benchmark Code Execution Times" (Intel, 2010).  A series is
 * `ensembles` (its BOUND_OF_LOOP) times `samples` (its SIZE_OF_STAT) durations
 * of the same code, or of code that grows with the ensemble.
 *
 * Samples are not kept, ensembles are kept as sums, and as bins of all samples.
 * So the memory is bounded, some 100 bytes for each ensemble.  No statistics here:
 * tools/kmark computes variances from the sums.
 *
 * Context: tasks that may sleep.  Locks: a lock of the caller.
 */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include "env.h"
#include "fence.h"

struct seq_file;

#define SERIES_ENSEMBLES_MAX	100000u
#define SERIES_SAMPLES_MAX	10000000u
#define SERIES_STRIDE_MAX	100000u

/* Code between the two reads of a sample. */
enum series_test {
	SERIES_OFFSET,		/* nothing */
	SERIES_STORES,		/* number * stride stores */
	SERIES_BEFORE,		/* nothing; a chain of multiplications goes before */
	SERIES_INSIDE,		/* the same chain */
	SERIES_TESTS
};

struct series_plan {
	const struct fence *fence;
	enum series_test test;
	u32 from;		/* number of the first ensemble */
	u32 ensembles;
	u32 samples;
	u32 stride;		/* 0: two numbers for each step of the counter */
	u32 tolerance;		/* times the warm-up's least: longer is disturbed; 0: keep all */
};

/*
 * Durations in ticks; those of a disturbed sample are in none but the last two.
 * SERIES_SAMPLES_MAX squares fit 128 bits as long as none is over 2^52 ticks,
 * 20 days; the paper's 64 bits ended at 100,000 samples of 13 million.
 */
struct ensemble {
	u32 number;
	u32 stores;
	u32 kept;
	u32 backwards;		/* the end was before the begin: not kept */
	u64 min, max;
	__uint128_t sum, squares;
	u64 took;		/* the whole ensemble, with warm-up and gaps between samples */
	u64 worst;
	u32 disturbed;
};

/*
 * Numbers of samples of each duration.  The first bin is for all
 * below `from`, the last for all above.
 */
#define SERIES_BINS	4096

struct series {
	struct list_head of;
	struct series_plan plan;
	u32 step;		/* step of the counter, in ticks */
	u32 stride;		/* stride of the plan, or the measured one */
	u32 adds[2], imuls[2];	/* chains before and after; 0 without */
	unsigned int n;		/* used entries of at[] */
	unsigned int room;
	struct ensemble *at;
	u32 dither;		/* length of the pause before a sample: 2^n - 1 rounds at most */
	bool counting;		/* into the bins */
	u64 bin_from;
	u64 bins[SERIES_BINS + 2];
};

/*
 * "fence=rdtscp test=stores from=0 ensembles=1000 samples=100 stride=1
 * tolerance=4", in any order, most of it optional; @line is cut up.
 * 0, or -EINVAL and a line in the log that names the word.
 */
int marker_bench_series_parse(struct series_plan *plan, char *line);

/*
 * Take the samples of a plan and add them to @all: to the last series if that series differs only
 * in `from`, else as a new series. @chains: also time the chains that convert ticks to cycles.
 * @progress: as in bench_options. 0; -EINVAL: no such fence on this CPU, or too many samples;
 * -ENOMEM; or the result of progress().
 */
int marker_bench_series_run(struct list_head *all, const struct series_plan *plan, bool chains,
			    int (*progress)(unsigned int done, unsigned int total));

/* Forgets all and frees the memory. */
void marker_bench_series_clear(struct list_head *all);

/* Print records of kmark-raw/1; @number is the number of the series. */
void marker_bench_series_print(struct seq_file *m, const struct series *series,
			       unsigned int number);
void marker_bench_series_print_columns(struct seq_file *m);

/* Fills @ensemble with samples; one for each fence and test (loops.c). */
typedef void series_fill(struct series *series, struct ensemble *ensemble, u32 samples, u64 limit);
extern series_fill *const marker_bench_series_fills[FENCE_COUNT][SERIES_TESTS];

/* Add one duration, for series_fill. */
void marker_bench_series_take(struct series *series, struct ensemble *ensemble, u64 start, u64 end,
			      u64 limit);

#endif
