// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Measure a system call that was not made just before: each call comes after a sleep, and
 * includes one read of the counter.  time and gettimeofday need no system call today: they are
 * measured as the call of libc, and as the system call that the paper measured.
 */
#define _GNU_SOURCE
#include "program.h"
#include "tsc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MAX_MS		60000ul
#define MAX_ITERATIONS	1000000ul

const char *const program_usage =
	"test_syscall time|gettimeofday|dup2|close <sleep ms: 0-60000> <iterations: 1-1000000>";

static int source, target;

/* Operations to measure: a result below 0 is a failure. */
static long libc_time(void)
{
	return time(NULL);
}

static long libc_gettimeofday(void)
{
	struct timeval now;

	return gettimeofday(&now, NULL);
}

static long libc_dup2(void)
{
	return dup2(source, target);
}

static long libc_close(void)
{
	return close(target);
}

#ifdef SYS_time
static long sys_time(void)
{
	return syscall(SYS_time, NULL);
}
#else
#define sys_time NULL
#endif

static long sys_gettimeofday(void)
{
	struct timeval now;

	return syscall(SYS_gettimeofday, &now, NULL);
}

static const struct call {
	const char *name;
	const char *row;
	long (*make)(void);
	double cycles, ns;	/* the paper's */
} calls[] = {
	{ "time", "time (system call)", sys_time, 2504.21, 5035.13 },
	{ "time", "time (libc)", libc_time, 2504.21, 5035.13 },
	{ "gettimeofday", "gettimeofday (system call)", sys_gettimeofday, 1192.79, 2394.85 },
	{ "gettimeofday", "gettimeofday (libc)", libc_gettimeofday, 1192.79, 2394.85 },
	{ "dup2", "dup2", libc_dup2, 9479.65, 19041.35 },
	{ "close", "close", libc_close, 2381.47, 4781.66 },
};

#define N_CALLS	(sizeof(calls) / sizeof(*calls))

static void measure(const struct call *call, unsigned long ms, unsigned long iterations)
{
	struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };
	double *samples = calloc(iterations, sizeof(*samples)), sum = 0;
	unsigned long i;

	if (!samples)
		program_exit_failed("samples");
	/* Not counted: it also binds the symbol and touches the pages. */
	call->make();
	for (i = 0; i < iterations; i++) {
		tsc_counter_t start, end;
		long result;

		/* Make the descriptor that the call will close, before the sleep. */
		if (dup2(source, target) < 0)
			program_exit_failed("dup2");
		nanosleep(&pause, NULL);
		start = tsc_readCycles_C();
		result = call->make();
		end = tsc_readCycles_C();
		if (result < 0)
			program_exit_failed(call->name);
		samples[i] = tsc_CI2D(tsc_C2CI(end) - tsc_C2CI(start));
		sum += samples[i];
		printf("%lu\t%s\t%.0f ticks\t%.1f ns\n", i + 1, call->row, samples[i],
		       tsc_cycles2Nsec_D2D(samples[i]));
	}
	printf("average of %lu: %.2f ticks, %.2f ns\n", iterations, sum / iterations,
	       tsc_cycles2Nsec_D2D(sum / iterations));
	program_table();
	program_row(call->row, samples, iterations, call->cycles, call->ns);
	free(samples);
}

int main(int argc, char **argv)
{
	unsigned long ms, iterations;
	unsigned int i, found = 0;

	if (argc != 4)
		program_exit_usage();
	for (i = 0; i < N_CALLS; i++)
		found += !strcmp(calls[i].name, argv[1]);
	if (!found)
		program_exit_usage();
	ms = program_argument(argv[2], 0, MAX_MS);
	iterations = program_argument(argv[3], 1, MAX_ITERATIONS);
	source = dup(STDERR_FILENO);
	target = dup(STDERR_FILENO);
	if (source < 0 || target < 0)
		program_exit_failed("dup");
	program_start();
	for (i = 0; i < N_CALLS; i++)
		if (!strcmp(calls[i].name, argv[1]) && calls[i].make)
			measure(&calls[i], ms, iterations);
	return 0;
}
