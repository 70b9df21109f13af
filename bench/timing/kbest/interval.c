// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interval counting: a timer ticks every delta, and the length of a segment of work is the number
 * of ticks in it. The counter's result is printed beside it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "experiments.h"
#include "tsc.h"

static timer_t timer;
static volatile sig_atomic_t ticks;

/* Ticks while we did not run come as one signal. */
static void tick(int signal)
{
	(void)signal;
	ticks += 1 + timer_getoverrun(timer);
}

/* Wait, so that segments begin anywhere between two ticks. */
static void wait_a_while(unsigned int delta_us)
{
	struct timespec pause = { 0, rand() % delta_us * 1000l };

	while (nanosleep(&pause, &pause))
		;
}

int interval_run(const struct options *options)
{
	const struct timespec delta = { options->delta_us / 1000000,
					options->delta_us % 1000000 * 1000l };
	const struct itimerspec interval = { delta, delta };
	double per_loop = work_measure(), cycles;
	struct interrupts interrupts;
	unsigned int round, i;
	unsigned long loops;
	int before, after;

	interrupts_watch(&interrupts);
	signal(SIGALRM, tick);
	if (timer_create(CLOCK_MONOTONIC, NULL, &timer) ||
	    timer_settime(timer, 0, &interval, NULL)) {
		perror("kbest: timer");
		return 1;
	}
	print_head("interval\tround\tdelta_us\tticks\tactual_us");
	printf("#tick_ns\t%.0f\n#interrupt_cycles\t%.0f\n", interrupts.tick_ns, interrupts.cycles);
	for (i = 0; i < options->times; i++) {
		loops = work_loops(options->time_us[i], per_loop);
		for (round = 0; round < options->rounds; round++) {
			wait_a_while(options->delta_us);
			before = ticks;
			start_counter();
			work(&loops);
			cycles = get_counter();
			after = ticks;
			printf("interval\t%u\t%u\t%d\t%.3f\n", round, options->delta_us,
			       after - before, cycles / tsc_CPUSpeed() * 1e6);
		}
	}
	return 0;
}
