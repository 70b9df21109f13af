// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error of K-best: work of known lengths, with other processes on the same CPU, as measured
 * and with the timer's interrupts subtracted. The time of an interrupt is measured as the gaps in
 * a loop that does nothing; their number follows from the clock, which they advance.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "experiments.h"
#include "tsc.h"

#define WATCH_MS	500
#define GAP_CYCLES	500.0		/* a loop that just reads does not take as long */
#define MOST_GAPS	100000
#define GAP_MOST_US	100.0		/* longer: it was another process */

static double tick_ns;			/* between two timer interrupts */
static double interrupt_cycles;		/* cycles of an interrupt */

/* A clock that only moves when the timer interrupts. */
static double coarse_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median of the times in which we did not run, but not for long. */
static void watch_interrupts(void)
{
	static double gaps[MOST_GAPS];
	double most = GAP_MOST_US / 1e6 * tsc_CPUSpeed(), gap, end;
	tsc_counter_int_t last = tsc_readCycles_CI(), now = last;
	struct timespec resolution;
	unsigned int n = 0;

	clock_getres(CLOCK_MONOTONIC_COARSE, &resolution);
	tick_ns = resolution.tv_sec * 1e9 + resolution.tv_nsec;
	end = tsc_CI2D(last) + WATCH_MS / 1e3 * tsc_CPUSpeed();
	for (; tsc_CI2D(now) < end && n < MOST_GAPS; last = now) {
		now = tsc_readCycles_CI();
		gap = tsc_CI2D(now - last);
		if (gap > GAP_CYCLES && gap < most)
			gaps[n++] = gap;
	}
	qsort(gaps, n, sizeof(*gaps), compare);
	interrupt_cycles = n ? gaps[n / 2] : 0;
}

struct task {
	unsigned long loops;
	bool compensate;
};

static double measure(void *arg)
{
	struct task *task = arg;
	double start, cycles;

	work(&task->loops);
	start = coarse_ns();
	start_counter();
	work(&task->loops);
	cycles = get_counter();
	if (task->compensate)
		cycles -= (coarse_ns() - start) / tick_ns * interrupt_cycles;
	return cycles;
}

static pid_t start_other(void)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		__asm__ __volatile__("" : : : "memory");
}

static void validate(const struct options *options, double per_loop)
{
	struct kbest_scheme scheme = options->scheme;
	struct kbest_result result;
	struct task task;
	unsigned int i;

	scheme.clock = KBEST_COUNTER;
	for (i = 0; i < options->times; i++) {
		task.loops = work_loops(options->time_us[i], per_loop);
		for (int compensate = 0; compensate < 2; compensate++) {
			task.compensate = compensate;
			kbest_choose(measure, &task, &scheme, &result);
			printf("validation\t%u\t%d\t%u\t%.0f\t%.0f\t%u\t%u\n", options->load,
			       compensate, options->time_us[i], task.loops * per_loop,
			       result.cycles, result.runs, result.converged);
			fflush(stdout);
		}
	}
}

int validate_run(const struct options *options)
{
	double per_loop = work_measure();
	pid_t *others = calloc(options->load, sizeof(*others));
	unsigned int i;

	if (!others) {
		perror("kbest: validate");
		return 1;
	}
	watch_interrupts();
	print_head("validation\tload\tcompensated\tus\texpected\tmeasured\truns\tconverged");
	printf("#tick_ns\t%.0f\n#interrupt_cycles\t%.0f\n", tick_ns, interrupt_cycles);
	fflush(stdout);
	for (i = 1; i < options->load; i++)
		others[i] = start_other();
	validate(options, per_loop);
	for (i = 1; i < options->load; i++)
		if (others[i] > 0) {
			kill(others[i], SIGKILL);
			waitpid(others[i], NULL, 0);
		}
	free(others);
	return 0;
}
