// SPDX-License-Identifier: GPL-2.0-only
/*
 * The methods of timing in a program: prints the requested series as raw lines. tools/kmark
 * computes all statistics from these.
 *
 * A program cannot disable interrupts. Disturbed samples are recognised by their length
 * (tolerance=), left out and counted.
 */
#include <err.h>
#include <getopt.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <linux/seq_file.h>
#include "chain.h"
#include "machine.h"
#include "series.h"
#include "skew.h"

#define TOLERANCE	4

static const char usage[] =
	"usage: method [OPTION...] [SERIES...]\n"
	"Takes series of samples to judge ways to read the time stamp counter by, and\n"
	"prints raw sums of them, the ways, and how far the CPUs' counters are apart.\n"
	"A series is words separated by spaces, all of them optional:\n"
	"  fence=NAME (of bench/arch/ARCH/fences.h; the first that this CPU has)\n"
	"  test=offset|stores|before|inside from=0 ensembles=100 samples=1000\n"
	"  stride=0 (stores for each ensemble; 0: as the counter's step asks for)\n"
	"  tolerance=4 (times the least; longer ones are left out; 0: none)\n"
	"Options:\n"
	"  --records     no head, for the end of another document\n"
	"  --cpu N       where to run (the last one allowed)\n"
	"  --progress    DONE/TOTAL lines on stderr even if that is no terminal\n"
	"  --help        this\n"
	"Example:\n"
	"  build/native/method 'fence=rdtscp test=stores ensembles=1000' > raw.tsv\n";

static bool show_progress;
static unsigned int ensembles_done, ensembles_total;

static void __noreturn refuse(const char *option, const char *value)
{
	fprintf(stderr, "method: %s \"%s\" is not understood\n%s", option, value, usage);
	exit(2);
}

static void parse_options(int argc, char **argv, bool *records, int *cpu)
{
	static const struct option known[] = {
		{ "records", no_argument, NULL, 'r' },
		{ "cpu", required_argument, NULL, 'c' },
		{ "progress", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	unsigned int number;
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'r') {
			*records = true;
		} else if (c == 'c') {
			if (kstrtouint(optarg, 10, &number) || number > INT_MAX)
				refuse("--cpu", optarg);
			*cpu = number;
		} else if (c == 'p') {
			show_progress = true;
		} else if (c == 'h') {
			fputs(usage, stdout);
			exit(0);
		} else {
			fputs(usage, stderr);
			exit(2);
		}
	}
}

static struct series_plan *parse_plans(char **words, int n)
{
	struct series_plan *plans = calloc(n + 1, sizeof(*plans));
	char *copy;
	int i;

	if (!plans)
		err(1, "plans");
	for (i = 0; i < n; i++) {
		copy = kasprintf(GFP_KERNEL, "tolerance=%u %s", TOLERANCE, words[i]);
		if (!copy || marker_bench_series_parse(&plans[i], copy))
			refuse("series", words[i]);
		free(copy);
		if (!plans[i].fence->has())
			errx(1, "fence=%s: this CPU lacks it", plans[i].fence->name);
		ensembles_total += plans[i].ensembles;
	}
	return plans;
}

static int progress(unsigned int done, unsigned int total)
{
	static unsigned int last;
	unsigned int percent = ++ensembles_done * 100ull / ensembles_total;

	if (show_progress && percent != last)
		fprintf(stderr, "%u/%u\n", ensembles_done, ensembles_total);
	last = percent;
	return 0;
}

#define NAIVE_VALUE	2006

static void print_head(struct seq_file *m)
{
	struct utsname system;

	uname(&system);
	seq_puts(m, "#kmark-raw/1\n#env\tnative\n");
	seq_printf(m, "#cpu\t%s\n", machine_cpu());
	seq_printf(m, "#kernel\t%s %s\n", system.sysname, system.release);
	seq_printf(m, "#tsc_khz\t%u\n", machine_tsc_khz());
	seq_printf(m, "#tsc_step\t%u\n", marker_bench_fence_step(marker_bench_fence_find("")));
	seq_printf(m, "#tsc_invariant\t%s\n", cpu_has_invariant_tsc() ? "yes" : "no");
	seq_printf(m, "#naive_register\t%u %u\n", NAIVE_VALUE, fence_naive(NAIVE_VALUE));
	seq_printf(m, "#chain_adds\t%u\n", CHAIN_ADDS);
	seq_printf(m, "#chain_imuls\t%u\n", CHAIN_IMULS);
	seq_printf(m, "#imul_latency\t%u\n", CHAIN_IMUL_LATENCY);
	seq_printf(m, "#compiler\tgcc %d.%d.%d\n", __GNUC__, __GNUC_MINOR__,
		   __GNUC_PATCHLEVEL__);
}

int main(int argc, char **argv)
{
	struct seq_file out = { stdout };
	struct series_plan *plans;
	struct series *series;
	bool records = false;
	int cpu = -1, i, ret, n;
	LIST_HEAD(all);

	show_progress = isatty(STDERR_FILENO);
	parse_options(argc, argv, &records, &cpu);
	n = argc - optind;
	plans = parse_plans(argv + optind, n);
	machine_pin_to_cpu(cpu);
	for (i = 0; i < n; i++) {
		ret = marker_bench_series_run(&all, &plans[i], true, progress);
		if (ret)
			errx(1, "%s: %s", argv[optind + i], strerror(-ret));
	}
	if (!records)
		print_head(&out);
	marker_bench_series_print_columns(&out);
	i = 0;
	list_for_each_entry(series, &all, of)
		marker_bench_series_print(&out, series, i++);
	marker_bench_skew_print_columns(&out);
	marker_bench_skew_print(&out);
	marker_bench_series_clear(&all);
	free(plans);
	if (fflush(stdout) || ferror(stdout))
		err(1, "standard output");
	return 0;
}
