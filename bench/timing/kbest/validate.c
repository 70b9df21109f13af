// SPDX-License-Identifier: GPL-2.0-only
/*
 * How far K-best is from the truth: work of known lengths, with other processes
 * on the same CPU.  All loads have one calibration, which is made before any other
 * process runs.  Of the measurement that K-best chooses there are two figures: as
 * measured, and less the timer's interrupts that fell into it.  How many there were
 * follows from the clock that they advance.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "experiments.h"
#include "tsc.h"

struct task {
	unsigned long loops;
	unsigned int n;				/* measurements so far */
	double ticks[KBEST_MAX_N];		/* timer interrupts in each of them */
	const struct interrupts *interrupts;
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
	task->ticks[task->n++] = (coarse_ns() - start) / task->interrupts->tick_ns;
	return cycles;
}

/* The cycles of interrupts in the fastest measurement. */
static double interrupted(const struct task *task, const struct kbest_result *result)
{
	unsigned int i = 0;

	while (result->all[i] > result->cycles)
		i++;
	return task->ticks[i] * task->interrupts->cycles;
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

static void validate(const struct options *options, unsigned int load, double per_loop,
		     const struct interrupts *interrupts)
{
	struct kbest_scheme scheme = options->scheme;
	struct task task = { .interrupts = interrupts };
	struct kbest_result result;
	unsigned int i;

	scheme.clock = KBEST_COUNTER;
	for (i = 0; i < options->times; i++) {
		task.loops = work_loops(options->time_us[i], per_loop);
		task.n = 0;
		kbest_choose(measure, &task, &scheme, &result);
		printf("validation\t%u\t%u\t%.0f\t%.0f\t%.0f\t%u\t%u\n", load, options->time_us[i],
		       task.loops * per_loop, result.cycles,
		       result.cycles - interrupted(&task, &result), result.runs,
		       result.converged);
		fflush(stdout);
	}
}

int validate_run(const struct options *options)
{
	double per_loop = work_measure();
	struct interrupts interrupts;
	pid_t others[MAX_LOAD];
	unsigned int i, n = 0;

	interrupts_watch(&interrupts);
	print_head("validation\tload\tus\texpected\tmeasured\tcompensated\truns\tconverged");
	printf("#tick_ns\t%.0f\n#interrupt_cycles\t%.0f\n", interrupts.tick_ns, interrupts.cycles);
	fflush(stdout);
	for (i = 0; i < options->loads; i++) {
		while (n + 1 < options->load[i])
			others[n++] = start_other();
		validate(options, options->load[i], per_loop, &interrupts);
	}
	while (n--)
		if (others[n] > 0) {
			kill(others[n], SIGKILL);
			waitpid(others[n], NULL, 0);
		}
	return 0;
}
