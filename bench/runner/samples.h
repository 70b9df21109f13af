/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unprocessed samples, and their output: kmark-raw/1, one line a sample, fields separated by
 * tabs.  Only tools/kmark computes statistics, from these lines.
 *
 * Locks: the caller's.
 */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include "case.h"
#include "env.h"

struct seq_file;

/* The chains just before and just after, in ticks; 0 without chains. */
enum { BENCH_BEFORE, BENCH_AFTER };

struct bench_sample {
	const struct bench_case *of;
	u64 ticks;			/* ticks of all loops */
	u32 adds[2], imuls[2];
	u32 loops;
	u32 round;
	enum bench_state state;
};

struct bench_samples {
	struct bench_sample *at;
	unsigned int n;
	unsigned int room;
	u32 rounds[BENCH_STATES];	/* so far */
};

/* 25 MB, and hundreds of rounds of everything. */
#define SAMPLES_MAX	500000u

/*
 * Makes room for @n more, so that none has to be made while measuring.
 * 0, -ENOSPC when they would be more than SAMPLES_MAX, -ENOMEM.  May sleep.
 */
int marker_bench_samples_reserve(struct bench_samples *samples, unsigned int n);

/* The next one, zeroed, of those there is room for. */
struct bench_sample *marker_bench_samples_add(struct bench_samples *samples);

/* Forgets all and frees the memory. */
void marker_bench_samples_clear(struct bench_samples *samples);

/* Print the name of the variant, with a dash for each underscore. */
void marker_bench_samples_print_variant(struct seq_file *m, const struct bench_case *c);

void marker_bench_samples_print_columns(struct seq_file *m);
void marker_bench_samples_print(struct seq_file *m, const struct bench_sample *sample);

#endif
