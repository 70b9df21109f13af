// SPDX-License-Identifier: GPL-2.0-only
/* kbest: the experiments of experiments.h, and their command line. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "experiments.h"
#include "tsc.h"

static const char usage[] =
	"usage: kbest counter|interval|cache|scheme|validate [OPTION...]\n"
	"       kbest command --out FILE [OPTION...] -- COMMAND [ARGUMENT...]\n"
	"The timing schemes of CMU 15-213 (2002); prints raw lines.\n"
	"  counter   the counter's rate by sleeping   interval  counting timer ticks\n"
	"  cache     the order of two functions       scheme    K-best, two clocks\n"
	"  validate  K-best against known lengths     command   time a command\n"
	"  -N, -K N        measurements at most (20), and how many have to agree (3)\n"
	"  --epsilon X     so far (0.001)      --cmin CYCLES  of a measurement (50000)\n"
	"  --load N,...    processes on the CPU, this one included; ascending (1, at most 64)\n"
	"  --rounds N      repetitions (20)    --sleep MS     (200)\n"
	"  --delta US      of the timer (10000)               --limit MS (1000)\n"
	"  --times US,...  lengths of work\n"
	"  --cpu N         where to run (the last one allowed; command: anywhere)\n"
	"Example:\n"
	"  build/kbest/kbest scheme -K 5 --times 10,1000\n";

static _Noreturn void refuse(const char *option, const char *value)
{
	fprintf(stderr, "kbest: %s \"%s\" is not understood\n%s", option, value, usage);
	exit(2);
}

static unsigned int parse_number(const char *option, const char *value, unsigned int least,
				 unsigned int most)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || number < least || number > most)
		refuse(option, value);
	return number;
}

static double parse_real(const char *option, const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !isfinite(number) || number < 0)
		refuse(option, value);
	return number;
}

/* Numbers with commas between them; returns how many. */
static unsigned int parse_list(const char *option, const char *value, unsigned int *numbers,
			       unsigned int most)
{
	char *copy = strdup(value), *rest = copy, *word;
	unsigned int n = 0;

	while (copy && (word = strsep(&rest, ","))) {
		if (n == MAX_TIMES)
			refuse(option, value);
		numbers[n++] = parse_number(option, word, 1, most);
	}
	free(copy);
	return n;
}

static void parse_times(struct options *options, const char *value)
{
	options->times = parse_list("--times", value, options->time_us, 10000000);
}

static void parse_loads(struct options *options, const char *value)
{
	unsigned int i;

	options->loads = parse_list("--load", value, options->load, MAX_LOAD);
	for (i = 1; i < options->loads; i++)
		if (options->load[i] < options->load[i - 1])
			refuse("--load", value);
}

void print_head(const char *columns)
{
	struct utsname system;

	uname(&system);
	printf("#kmark-raw/1\n#env\tnative\n#kernel\t%s %s\n", system.sysname, system.release);
	printf("#tsc_hz\t%.0f\n#tsc_invariant\t%s\n", tsc_CPUSpeed(),
	       tsc_isInvariant() ? "yes" : "no");
	printf("%s\n", columns);
}

/* Use the last allowed CPU, which is the least likely one to get interrupts. */
static void settle_down(int cpu)
{
	cpu_set_t allowed;
	int last = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	while (last && !CPU_ISSET(last, &allowed))
		last--;
	if (tsc_pin(cpu < 0 ? last : cpu) != TSC_OK)
		err(1, "cannot run on CPU %d", cpu < 0 ? last : cpu);
}

static const struct experiment {
	const char *name;
	int (*run)(const struct options *options);
	const char *times;	/* in us, unless the command line says */
} experiments[] = {
	{ "counter", counter_run, "1" },
	{ "interval", interval_run, "5000,15000,25000,75000,155000,305000" },
	{ "cache", cache_run, "1" },
	{ "scheme", scheme_run, "1,10,100,1000,5000" },
	{ "validate", validate_run, "500,1000,2000,5000,10000,20000,50000" },
	{ "command", command_run, "1" },
};

static const struct experiment *find_experiment(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(experiments) / sizeof(*experiments); i++)
		if (name && !strcmp(name, experiments[i].name))
			return &experiments[i];
	refuse("experiment", name ?: "");
}

static const struct option known[] = {
	{ "epsilon", required_argument, NULL, 'e' },
	{ "cmin", required_argument, NULL, 'm' },
	{ "load", required_argument, NULL, 'l' },
	{ "rounds", required_argument, NULL, 'r' },
	{ "sleep", required_argument, NULL, 's' },
	{ "delta", required_argument, NULL, 'd' },
	{ "limit", required_argument, NULL, 'L' },
	{ "times", required_argument, NULL, 't' },
	{ "cpu", required_argument, NULL, 'c' },
	{ "out", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void take_option(struct options *options, int *cpu, int c)
{
	switch (c) {
	case 'N':
		options->scheme.n = parse_number("-N", optarg, 1, KBEST_MAX_N);
		break;
	case 'K':
		options->scheme.k = parse_number("-K", optarg, 1, KBEST_MAX_N);
		break;
	case 'e':
		options->scheme.epsilon = parse_real("--epsilon", optarg);
		break;
	case 'm':
		options->scheme.cmin = parse_real("--cmin", optarg);
		break;
	case 'l':
		parse_loads(options, optarg);
		break;
	case 'r':
		options->rounds = parse_number("--rounds", optarg, 1, 100000);
		break;
	case 's':
		options->sleep_ms = parse_number("--sleep", optarg, 1, 60000);
		break;
	case 'd':
		options->delta_us = parse_number("--delta", optarg, 100, 1000000);
		break;
	case 'L':
		options->limit_ms = parse_number("--limit", optarg, 0, 3600000);
		break;
	case 't':
		parse_times(options, optarg);
		break;
	case 'c':
		*cpu = parse_number("--cpu", optarg, 0, CPU_SETSIZE - 1);
		break;
	case 'o':
		options->out = optarg;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs(usage, stderr);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct options options = {
		.scheme = { KBEST_COUNTER, 3, 20, 0.001, 50000 },
		.loads = 1, .load = { 1 },
		.rounds = 20, .sleep_ms = 200, .delta_us = 10000, .limit_ms = 1000,
	};
	const struct experiment *experiment;
	int cpu = -1, status, c;
	bool command;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		take_option(&options, &cpu, 'h');
	experiment = find_experiment(argv[1]);
	command = experiment->run == command_run;
	parse_times(&options, experiment->times);
	optind = 2;
	while ((c = getopt_long(argc, argv, "+N:K:", known, NULL)) != -1)
		take_option(&options, &cpu, c);
	options.command = argv + optind;
	if (options.scheme.k > options.scheme.n)
		refuse("-K", "more than N");
	if (command != !!argv[optind] || command != !!options.out)
		refuse(command ? "command" : "argument", argv[optind] ?: "");
	if (tsc_init(TSC_NOSPEED) != TSC_OK)
		errx(1, "the counter's speed cannot be found out");
	if (!command || cpu >= 0)
		settle_down(cpu);
	status = experiment->run(&options);
	if (fflush(stdout) || ferror(stdout))
		err(1, "standard output");
	return status;
}
