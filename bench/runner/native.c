// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cases in a program: the same loops, gates, patcher and probes as in the
 * kernel, in core cycles of the CPU at hand, without root.
 *
 * Prints kmark-raw/1; tools/kmark computes all statistics from that.
 * Interrupts cannot be held off here, so some samples are disturbed: the
 * chains around each of them tell.
 */
#include <err.h>
#include <getopt.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <linux/seq_file.h>
#include "command.h"
#include "fence.h"
#include "gates/native.h"
#include "machine.h"
#include "peers.h"
#include "run.h"
#include "samples.h"
#include "self.h"

/*
 * A quarter of a millisecond of the empty loop.  Longer samples meet a timer
 * interrupt more often than not, and differ by it.
 */
#define MOST_LOOPS	1000000

static bool show_progress;

static const char usage[] =
	"usage: bench [OPTION...]\n"
	"Times marker sites, disabled and enabled, and prints raw samples.\n"
	"  --rounds N    times that each case is measured in each state (20)\n"
	"  --scale X     factor on all loop counts (1)\n"
	"  --shape NAME  only this shape, of those that --list names\n"
	"  --state NAME  only disabled or only enabled sites\n"
	"  --fence NAME  how the counter is read, a name of bench/arch/ARCH/fences.h\n"
	"                (default: the first of them that this CPU has)\n"
	"  --seed N      of the order of the cases (1)\n"
	"  --cpu N       where to run (the last one allowed)\n"
	"  --list        name every case and end\n"
	"  --progress    DONE/TOTAL lines on stderr even if that is no terminal\n"
	"  --help        this\n"
	"Example:\n"
	"  build/native/bench --rounds 5 --shape empty > raw.tsv\n";

static void __noreturn refuse(const char *option, const char *value)
{
	fprintf(stderr, "bench: %s \"%s\" is not understood\n%s", option, value, usage);
	exit(2);
}

static unsigned int parse_number(const char *option, const char *value, unsigned int least)
{
	unsigned int number;

	if (kstrtouint(value, 10, &number) || number < least)
		refuse(option, value);
	return number;
}

static void list(void)
{
	struct seq_file out = { stdout };

	marker_bench_run_print_cases(&out);
	if (fflush(stdout) || ferror(stdout))
		err(1, "standard output");
}

static unsigned int parse_state(const char *value)
{
	unsigned int state;

	for (state = 0; state < BENCH_STATES; state++)
		if (!strcmp(value, bench_state_name(state)))
			return 1 << state;
	refuse("--state", value);
}

/* @states: gets a bit for each state to measure. */
static void parse_options(int argc, char **argv, struct bench_options *options, int *cpu,
			  unsigned int *states)
{
	static const struct option known[] = {
		{ "rounds", required_argument, NULL, 'r' },
		{ "scale", required_argument, NULL, 's' },
		{ "shape", required_argument, NULL, 'S' },
		{ "state", required_argument, NULL, 't' },
		{ "fence", required_argument, NULL, 'f' },
		{ "seed", required_argument, NULL, 'e' },
		{ "cpu", required_argument, NULL, 'c' },
		{ "list", no_argument, NULL, 'l' },
		{ "progress", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'r') {
			options->rounds = parse_number("--rounds", optarg, 1);
		} else if (c == 's') {
			options->scale = marker_bench_run_parse_scale(optarg);
			if (!options->scale)
				refuse("--scale", optarg);
		} else if (c == 'S') {
			options->shape = optarg;
			if (!marker_bench_run_knows_shape(optarg))
				refuse("--shape", optarg);
		} else if (c == 't') {
			*states = parse_state(optarg);
		} else if (c == 'f') {
			options->fence = marker_bench_fence_find(optarg);
			if (!options->fence)
				refuse("--fence", optarg);
			if (!options->fence->has())
				errx(1, "--fence %s: this CPU lacks it", optarg);
		} else if (c == 'e') {
			options->seed = parse_number("--seed", optarg, 0);
		} else if (c == 'c') {
			*cpu = parse_number("--cpu", optarg, 0);
		} else if (c == 'l') {
			list();
			exit(0);
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
	if (argv[optind])
		refuse("argument", argv[optind]);
}

static int progress(unsigned int done, unsigned int total)
{
	static unsigned int last;
	unsigned int percent = done * 100ull / total;

	if (show_progress && percent != last)
		fprintf(stderr, "%u/%u\n", done, total);
	last = percent;
	return 0;
}

static bool uprobes_attached;

/* In the shapes that store events LTTng records; the others need a tracepoint without a reader. */
static bool is_ready(const struct bench_case *c)
{
	if (!strncmp(c->variant, "imm_uprobe", strlen("imm_uprobe")))
		return uprobes_attached;
	if (strcmp(c->variant, "lttng"))
		return true;
	return strncmp(c->shape, "event", 5) ? lttng_is_idle() : lttng_records();
}

static void print(const struct bench_samples *samples, const struct bench_options *options)
{
	struct seq_file out = { stdout };
	struct utsname system;
	unsigned int i;

	uname(&system);
	seq_puts(&out, "#kmark-raw/1\n#env\tnative\n");
	seq_printf(&out, "#cpu\t%s\n", machine_cpu());
	seq_printf(&out, "#arch\t%s\n", system.machine);
	seq_printf(&out, "#kernel\t%s %s\n", system.sysname, system.release);
	seq_printf(&out, "#tsc_khz\t%u\n", machine_tsc_khz());
	seq_printf(&out, "#lttng\t%s\n", lttng_records() ? "records" : "does not record");
	if (!uprobes_attached)
		seq_puts(&out, "#missing_peers\timm-uprobe imm-uprobe-step\n");
	marker_bench_run_print_method(&out, options);
	marker_bench_samples_print_columns(&out);
	for (i = 0; i < samples->n; i++)
		marker_bench_samples_print(&out, &samples->at[i]);
	if (fflush(stdout) || ferror(stdout))
		err(1, "standard output");
}

static void run(struct bench_options *options, enum bench_state state,
		struct bench_samples *samples)
{
	int ret;

	options->state = state;
	ret = marker_bench_run_cases(options, samples);
	if (ret == -ENOSPC)
		errx(1, "%u rounds are more samples than there is room for", options->rounds);
	if (ret)
		errx(1, "%s: %s", bench_state_name(state), strerror(-ret));
}

static void execute(const char *command)
{
	int ret = marker_command_execute(command);

	if (ret)
		errx(1, "%s: %s", command, strerror(-ret));
}

int main(int argc, char **argv)
{
	struct bench_options options = {
		.rounds = 20, .scale = RUN_SCALE_ONE, .most_loops = MOST_LOOPS,
		.seed = 1, .chains = true, .progress = progress,
		.fence = marker_bench_fence_find(""),
		.ready = is_ready,
	};
	struct bench_samples samples = { };
	unsigned int states = (1 << BENCH_STATES) - 1;
	int cpu = -1;

	show_progress = isatty(STDERR_FILENO);
	parse_options(argc, argv, &options, &cpu, &states);
	machine_pin_to_cpu(cpu);
	marker_bench_gates_init();
	self_register_sites();
	marker_bench_run_init(options.fence);
	uprobes_attached = native_uprobes_attach();
	if (states & 1 << BENCH_DISABLED)
		run(&options, BENCH_DISABLED, &samples);
	execute("connect subsys_mark1 empty");
	if (marker_bench_run_knows_shape("event"))
		execute("connect bench_event ctf");
	flag_set(true);
	if (states & 1 << BENCH_ENABLED)
		run(&options, BENCH_ENABLED, &samples);
	print(&samples, &options);
	return 0;
}
