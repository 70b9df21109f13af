/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the cases and fills samples, in the kernel as in a program.
 *
 * Context: a task that may sleep; the caller allows one run at a time.
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "case.h"
#include "env.h"
#include "fence.h"
#include "samples.h"

#define RUN_SCALE_ONE	1000000u	/* millionths */
#define RUN_SCALE_MAX	1000u

struct bench_options {
	enum bench_state state;
	u32 rounds;
	u32 scale;		/* factor of all loop counts, in millionths */
	u32 least_loops;	/* no scale takes fewer, unless the case has fewer itself */
	u32 most_loops;		/* a longer sample is split into parts; 0: never */
	u32 seed;		/* seed of the order of the cases */
	bool chains;		/* off where a tick is no piece of time */
	const struct fence *fence;	/* how the counter is read */
	const char *shape;	/* only this one; NULL: all */
	const char *only;	/* this variant and the bare loops; NULL: all */
	/* True if the requirements of a case are met; NULL: always. */
	bool (*ready)(const struct bench_case *c);
	/* After each sample.  Not 0: the run ends with that.  May be NULL. */
	int (*progress)(unsigned int done, unsigned int total);
};

/* Before the first run; @fence: as in its options. */
void marker_bench_run_init(const struct fence *fence);

/*
 * Add samples of all cases, in random order in each round, or none at all. The parts of a sample
 * are samples of the same round. 0, also if no case has that state. -EINVAL: no such shape, no
 * rounds, or the sites are not in that state; -ENOSPC: more samples than SAMPLES_MAX; -ENOMEM; or
 * the result of progress(). The log names a wrong option.
 */
int marker_bench_run_cases(const struct bench_options *options, struct bench_samples *samples);

bool marker_bench_run_knows_shape(const char *name);

/* Print a line for each case and state, after a line with the names of columns. */
void marker_bench_run_print_cases(struct seq_file *m);

/* "1", "0.05": a decimal number up to RUN_SCALE_MAX, in millionths; else 0. */
u32 marker_bench_run_parse_scale(const char *word);

/* Print the part of the head of raw lines that is the same in every environment. */
void marker_bench_run_print_method(struct seq_file *m, const struct bench_options *options);

#endif
