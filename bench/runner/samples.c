// SPDX-License-Identifier: GPL-2.0-only
/* An array that grows between runs, and the lines it is printed as. */
#include <linux/seq_file.h>
#include "samples.h"

int marker_bench_samples_reserve(struct bench_samples *samples, unsigned int n)
{
	struct bench_sample *at;

	if (n > SAMPLES_MAX - samples->n)
		return -ENOSPC;
	if (n <= samples->room - samples->n)
		return 0;
	at = kvcalloc(samples->n + n, sizeof(*at), GFP_KERNEL);
	if (!at)
		return -ENOMEM;
	if (samples->n)
		memcpy(at, samples->at, samples->n * sizeof(*at));
	kvfree(samples->at);
	samples->at = at;
	samples->room = samples->n + n;
	return 0;
}

struct bench_sample *marker_bench_samples_add(struct bench_samples *samples)
{
	struct bench_sample *sample = &samples->at[samples->n++];

	memset(sample, 0, sizeof(*sample));
	return sample;
}

void marker_bench_samples_clear(struct bench_samples *samples)
{
	kvfree(samples->at);
	memset(samples, 0, sizeof(*samples));
}

void marker_bench_samples_print_columns(struct seq_file *m)
{
	seq_puts(m, "case\tround\tshape\tvariant\tstate\tlayout\tloops\tsites\t"
		    "ticks\tadd0\timul0\tadd1\timul1\n");
}

void marker_bench_samples_print_variant(struct seq_file *m, const struct bench_case *c)
{
	const char *at;

	for (at = c->variant; *at; at++)
		seq_putc(m, *at == '_' ? '-' : *at);
}

void marker_bench_samples_print(struct seq_file *m, const struct bench_sample *s)
{
	seq_printf(m, "case\t%u\t%s\t", s->round, s->of->shape);
	marker_bench_samples_print_variant(m, s->of);
	seq_printf(m, "\t%s\t%u\t%u\t%u\t%llu\t%u\t%u\t%u\t%u\n",
		   bench_state_name(s->state), s->of->layout, s->loops, s->of->sites,
		   (unsigned long long)s->ticks,
		   s->adds[BENCH_BEFORE], s->imuls[BENCH_BEFORE],
		   s->adds[BENCH_AFTER], s->imuls[BENCH_AFTER]);
}
