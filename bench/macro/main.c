// SPDX-License-Identifier: GPL-2.0-only
/* macro: runs one workload once, and prints its line of raw data. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "workloads.h"

static const char usage[] =
	"usage: macro head ENV\n"
	"       macro WORKLOAD OPERATIONS STATE ROUND [-- COMMAND [ARGUMENT...]]\n"
	"Does something that kernels are used for, many times; prints raw lines (kmark-raw/1).\n"
	"  compile   COMMAND, with nothing cached (root)\n"
	"  kernel    the same, a longer one\n"
	"  ping      ICMP echo on loopback, one after the other (root)\n"
	"  flood     COMMAND, which is \"ping -f\" and sends as many requests (root)\n"
	"  pipe      a byte to another process and back\n"
	"  syscall   COMMAND, which is \"perf bench syscall basic\" or another of perf's\n"
	"  metadata  files made, renamed and removed, in the current folder\n"
	"  head      the lines that come first\n"
	"STATE and ROUND are words that come back in the line.\n"
	"Example:\n"
	"  build/macro/macro pipe 1000 closed 0\n";

static const struct workload {
	const char *name;
	int (*run)(unsigned int ops, char **command, struct span *span);
	int has_command;
} workloads[] = {
	{ "compile", compile_run, 1 },
	{ "kernel", compile_run, 1 },
	{ "ping", ping_run, 0 },
	{ "flood", flood_run, 1 },
	{ "pipe", pipe_run, 0 },
	{ "syscall", perf_run, 1 },
	{ "metadata", metadata_run, 0 },
};

static _Noreturn void refuse(const char *what, const char *value)
{
	fprintf(stderr, "macro: %s \"%s\" is not understood\n%s", what, value, usage);
	exit(2);
}

static unsigned int parse_number(const char *what, const char *value, unsigned int least)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || number < least || number > 1u << 30)
		refuse(what, value);
	return number;
}

static int print_head(const char *env)
{
	struct utsname system;

	if (uname(&system))
		err(1, "uname");
	printf("#kmark-raw/1\n#env\t%s\n#kernel\t%s\n", env, system.release);
	printf("#build\t%s\n", system.version);
	puts("macro\tworkload\tstate\tround\tops\tticks\tns\tidle_ns\tevents");
	return 0;
}

static const struct workload *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		if (!strcmp(name, workloads[i].name))
			return &workloads[i];
	refuse("workload", name);
}

int main(int argc, char **argv)
{
	const struct workload *workload;
	unsigned int ops, round;
	struct span span = { };

	if (argc == 2 && !strcmp(argv[1], "--help"))
		return fputs(usage, stdout) == EOF;
	if (argc == 3 && !strcmp(argv[1], "head"))
		return print_head(argv[2]);
	workload = find(argc > 1 ? argv[1] : "");
	if (argc < 5)
		refuse("workload", argv[1]);
	ops = parse_number("OPERATIONS", argv[2], 1);
	round = parse_number("ROUND", argv[4], 0);
	if (workload->has_command ? argc < 7 || strcmp(argv[5], "--") : argc > 5)
		refuse("command of", argv[1]);
	if (workload->run(ops, workload->has_command ? argv + 6 : NULL, &span))
		return 1;
	printf("macro\t%s\t%s\t%u\t%u\t%llu\t%llu\t%llu\t%llu\n", workload->name, argv[3], round,
	       ops, span.ticks, span.ns, span.idle_ns, span.events);
	return 0;
}
