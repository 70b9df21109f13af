/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Difference of the counters of two CPUs.  A reading there is asked for
 * and comes back between two readings here, so the difference lies in between;
 * of many the narrowest.  If 0 is not in it, the counters are not synchronised.
 *
 * There is one file of this for kernels, and one for programs.
 */
#ifndef BENCH_SKEW_H
#define BENCH_SKEW_H

#include "env.h"
#include "fence.h"

struct seq_file;

#define SKEW_ROUNDS	500

struct skew {
	s64 low, high;		/* ticks that the other one is ahead */
	u32 rounds;
};

#define SKEW_UNKNOWN	((struct skew){ .low = S64_MIN, .high = S64_MAX })

/* A reading there, @other, came between @before and @after here. */
static inline void skew_narrow(struct skew *skew, u64 before, u64 other, u64 after)
{
	skew->low = max_t(s64, skew->low, other - after);
	skew->high = min_t(s64, skew->high, other - before);
	skew->rounds++;
}

/* Tries each other CPU and prints a record of each.  May sleep. */
void marker_bench_skew_print(struct seq_file *m);

void marker_bench_skew_print_columns(struct seq_file *m);
void marker_bench_skew_print_one(struct seq_file *m, unsigned int here, unsigned int other,
				 const struct skew *skew);

#endif
