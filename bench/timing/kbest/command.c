// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command and prints its time: by the counter, and as the kernel accounts for it. A command
 * that takes less than the limit is run again, until the K fastest runs agree; only the first run
 * writes its output.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "experiments.h"
#include "tsc.h"

#define NO_COMMAND	127
#define TRIES		5

static double used_us(int who)
{
	struct rusage usage;

	if (getrusage(who, &usage))
		err(1, "getrusage");
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static double cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/*
 * True if the kernel's sum of user and system time is exact, and not the number of ticks
 * that met the process: in one and a half ticks of work, an exact sum grows by as much as the
 * scheduler's clock.
 */
static bool accounting_is_exact(double tick_us)
{
	double used, cpu;
	int i;

	for (i = 0; i < TRIES; i++) {
		used = used_us(RUSAGE_SELF);
		cpu = cpu_us();
		while (cpu_us() - cpu < 1.5 * tick_us)
			;
		cpu = cpu_us() - cpu;
		used = used_us(RUSAGE_SELF) - used;
		if (used < cpu - tick_us / 4 || used > cpu + tick_us / 4)
			return false;
	}
	return true;
}

/* Does not return. @refused: shared with the parent; set if the command cannot be started. */
static _Noreturn void execute(char **command, bool quietly, bool *refused)
{
	int null = quietly ? open("/dev/null", O_RDWR) : -1;

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	execvp(command[0], command);
	*refused = true;
	if (!quietly)
		fprintf(stderr, "kbest: %s: %s\n", command[0], strerror(errno));
	_exit(NO_COMMAND);
}

struct runs {
	const struct options *options;
	FILE *out;
	unsigned int n;
	int status;		/* status of the first failed run, or 0 */
	bool *refused;		/* shared with the commands */
};

static double run(void *arg)
{
	struct runs *runs = arg;
	struct rusage usage;
	double cycles;
	pid_t child;
	int status;

	start_counter();
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child)
		execute(runs->options->command, runs->n > 0, runs->refused);
	if (wait4(child, &status, 0, &usage) < 0)
		err(1, "wait4");
	cycles = get_counter();
	/* Nothing is written: there is no time. */
	if (*runs->refused)
		_exit(NO_COMMAND);
	if (!runs->status && status)
		runs->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	fprintf(runs->out, "command\t%u\t%.0f\t%.0f\t%ld\t%ld\t%d\n", runs->n++, cycles,
		tsc_cycles2Nsec_D2D(cycles),
		usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec,
		usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec, runs->status);
	return cycles;
}

int command_run(const struct options *options)
{
	struct runs runs = { .options = options, .out = fopen(options->out, "w") };
	struct kbest_scheme scheme = options->scheme;
	struct kbest_result result;
	struct timespec tick;
	double first;

	if (!runs.out)
		err(1, "%s", options->out);
	runs.refused = mmap(NULL, sizeof(*runs.refused), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (runs.refused == MAP_FAILED)
		err(1, "mmap");
	/* A clock that the timer interrupt moves. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	fprintf(runs.out, "#kmark-raw/1\n#env\tnative\n#tick_ns\t%ld\n", tick.tv_nsec);
	fprintf(runs.out, "#accounting\t%s\n",
		accounting_is_exact(tick.tv_nsec / 1e3) ? "exact" : "ticks");
	fprintf(runs.out, "command\tnumber\tcycles\tns\tuser_us\tsystem_us\tstatus\n");
	first = run(&runs);
	if (!runs.status && tsc_cycles2Nsec_D2D(first) < options->limit_ms * 1e6 && scheme.n > 1) {
		/* The first run is a warm-up, and is not one of the N. */
		kbest_choose(run, &runs, &scheme, &result);
		fprintf(runs.out, "#spread\t%.6f\n#converged\t%u\n", result.spread,
			result.converged);
	}
	if (fclose(runs.out))
		err(1, "%s", options->out);
	return runs.status;
}
