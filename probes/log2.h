/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms by powers of two, counted on each CPU: 0; 1; 2..3; 4..7; and so on
 * up to 64 bits, and the same below 0.
 */
#ifndef PROBES_LOG2_H
#define PROBES_LOG2_H

#include <linux/bitops.h>
#include <linux/percpu.h>
#include "marker_probe.h"

struct marker_log2_hist {
	u64 buckets[2 * 64 + 1];	/* 0 is in the middle */
};

/* Add the value of one event. @word is a value of 64 bits, signed or not. Context: any. */
static __always_inline void marker_log2_add(struct marker_log2_hist __percpu *hist, u64 word,
					    bool is_signed)
{
	int place = is_signed && (s64)word < 0 ? 64 - fls64(-word) : 64 + fls64(word);

	this_cpu_inc(hist->buckets[place]);
}

static inline u64 marker_log2_count(struct marker_log2_hist __percpu *hist, unsigned int place)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += per_cpu_ptr(hist, cpu)->buckets[place];
	return count;
}

static inline u64 marker_log2_events(struct marker_log2_hist __percpu *hist)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(((struct marker_log2_hist *)NULL)->buckets); i++)
		sum += marker_log2_count(hist, i);
	return sum;
}

/* Rows "bucket", key LOW..HIGH, ascending; those without events are left out. */
static inline void marker_log2_show(struct marker_log2_hist __percpu *hist,
				    struct marker_probe_rows *rows)
{
	unsigned int i;

	for (i = 0; i < 64; i++) {
		u64 count = marker_log2_count(hist, i), low = 1ull << (63 - i);

		/* -2^63 has no other in its bucket. */
		if (count)
			marker_probe_row(rows, "bucket", count, "-%llu..-%llu",
					 i ? 2 * low - 1 : low, low);
	}
	for (i = 64; i <= 128; i++) {
		u64 count = marker_log2_count(hist, i), low = i == 64 ? 0 : 1ull << (i - 65);

		if (count)
			marker_probe_row(rows, "bucket", count, "%llu..%llu", low,
					 low ? 2 * low - 1 : 0);
	}
}

#endif
