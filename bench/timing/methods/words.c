// SPDX-License-Identifier: GPL-2.0-only
/* Series as text: plans that are asked for, and results as raw lines. */
#include <linux/seq_file.h>
#include "measured.h"
#include "series.h"
#include "skew.h"

static const char *const test_names[SERIES_TESTS] = { "offset", "stores", "before", "inside" };

static int parse_test(enum series_test *test, const char *name)
{
	for (*test = 0; *test < SERIES_TESTS; ++*test)
		if (!strcmp(name, test_names[*test]))
			return 0;
	return -EINVAL;
}

/* "NAME=", then a number from @least to @most. */
static bool parse_number(u32 *number, const char *word, const char *name, u32 least, u32 most)
{
	size_t length = strlen(name);

	return !strncmp(word, name, length) && word[length] == '=' &&
	       !kstrtou32(word + length + 1, 10, number) && *number >= least && *number <= most;
}

static bool parse_word(struct series_plan *plan, const char *word)
{
	if (!strncmp(word, "fence=", 6)) {
		plan->fence = marker_bench_fence_find(word + 6);
		return plan->fence;
	}
	if (!strncmp(word, "test=", 5))
		return !parse_test(&plan->test, word + 5);
	return parse_number(&plan->from, word, "from", 0, SERIES_ENSEMBLES_MAX) ||
	       parse_number(&plan->ensembles, word, "ensembles", 1, SERIES_ENSEMBLES_MAX) ||
	       parse_number(&plan->samples, word, "samples", 1, SERIES_SAMPLES_MAX) ||
	       parse_number(&plan->stride, word, "stride", 0, SERIES_STRIDE_MAX) ||
	       parse_number(&plan->tolerance, word, "tolerance", 0, 1000);
}

int marker_bench_series_parse(struct series_plan *plan, char *line)
{
	char *word;

	*plan = (struct series_plan){
		.fence = marker_bench_fence_find(""), .ensembles = 100, .samples = 1000,
	};
	while ((word = strsep(&line, " \t\n")))
		if (*word && !parse_word(plan, word)) {
			pr_err("\"%s\" is not understood\n", word);
			return -EINVAL;
		}
	return 0;
}

void marker_bench_series_print_columns(struct seq_file *m)
{
	unsigned int i;

	seq_puts(m, "series\tnumber\tfence\treads\ttest\tsamples\ttolerance\tstep\tstride\tinsns\t"
		    "add0\timul0\tadd1\timul1\n");
	seq_puts(m, "ensemble\tseries\tnumber\tstores\tkept\tsum\tsquares\tmin\tmax\t"
		    "backwards\tdisturbed\tworst\ttook\n");
	seq_puts(m, "bin\tseries\tfrom\twidth\tcount\n");
	seq_puts(m, "fence\tname\treads\thas\n");
	for (i = 0; i < FENCE_COUNT; i++)
		seq_printf(m, "fence\t%s\t%s\t%u\n", marker_bench_fences[i].name,
			   marker_bench_fences[i].reads, marker_bench_fences[i].has());
}

void marker_bench_skew_print_columns(struct seq_file *m)
{
	seq_puts(m, "skew\tcpu\tother\tlow\thigh\trounds\n");
}

void marker_bench_skew_print_one(struct seq_file *m, unsigned int here, unsigned int other,
				 const struct skew *skew)
{
	seq_printf(m, "skew\t%u\t%u\t%lld\t%lld\t%u\n", here, other,
		   (long long)skew->low, (long long)skew->high, skew->rounds);
}

/* 128 bits have no format of their own: 32 hexadecimal digits. */
static void print_wide(struct seq_file *m, __uint128_t value)
{
	seq_printf(m, "\t%016llx%016llx", (unsigned long long)(value >> 64),
		   (unsigned long long)value);
}

static void print_ensemble(struct seq_file *m, const struct ensemble *e, unsigned int number)
{
	seq_printf(m, "ensemble\t%u\t%u\t%u\t%u", number, e->number, e->stores, e->kept);
	print_wide(m, e->sum);
	print_wide(m, e->squares);
	seq_printf(m, "\t%llu\t%llu\t%u\t%u\t%llu\t%llu\n",
		   e->kept ? (unsigned long long)e->min : 0, (unsigned long long)e->max,
		   e->backwards, e->disturbed, (unsigned long long)e->worst,
		   (unsigned long long)e->took);
}

/* Width 0: the bin has no other end. */
static void print_bins(struct seq_file *m, const struct series *series, unsigned int number)
{
	unsigned int i;
	u64 from;

	for (i = 0; i < ARRAY_SIZE(series->bins); i++) {
		if (!series->bins[i])
			continue;
		from = i ? series->bin_from + (u64)(i - 1) * series->step : 0;
		seq_printf(m, "bin\t%u\t%llu\t%u\t%llu\n", number, (unsigned long long)from,
			   i == 0 || i > SERIES_BINS ? 0 : series->step,
			   (unsigned long long)series->bins[i]);
	}
}

void marker_bench_series_print(struct seq_file *m, const struct series *series, unsigned int number)
{
	const struct series_plan *plan = &series->plan;
	unsigned int i;

	seq_printf(m, "series\t%u\t%s\t%s\t%s\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\n",
		   number, plan->fence->name, plan->fence->reads, test_names[plan->test],
		   plan->samples, plan->tolerance, series->step, series->stride, MEASURED_INSNS,
		   series->adds[0], series->imuls[0], series->adds[1], series->imuls[1]);
	for (i = 0; i < series->n; i++)
		print_ensemble(m, &series->at[i], number);
	if (plan->test == SERIES_OFFSET)
		print_bins(m, series, number);
}
