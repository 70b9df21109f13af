/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The experiments of the lecture, which the program `kbest` runs. Each prints raw lines of
 * kmark-raw/1; tools/kmark computes the results.
 */
#ifndef KBEST_EXPERIMENTS_H
#define KBEST_EXPERIMENTS_H

#include "kbest.h"

#define MAX_TIMES	32
#define MAX_LOAD	64

/* Options of the command line; each experiment uses a part of them. */
struct options {
	struct kbest_scheme scheme;
	unsigned int loads;
	unsigned int load[MAX_TIMES];	/* processes on our CPU, we included; one after the other */
	unsigned int rounds;
	unsigned int sleep_ms;
	unsigned int delta_us;		/* period of the interval timer */
	unsigned int limit_ms;		/* a command that takes longer is run once */
	unsigned int times;
	unsigned int time_us[MAX_TIMES];	/* durations to be measured */
	const char *out;
	char **command;
};

/* Run an experiment; returns the program's exit status. */
int counter_run(const struct options *options);		/* D1 */
int interval_run(const struct options *options);	/* D2 */
int cache_run(const struct options *options);		/* D3 */
int scheme_run(const struct options *options);		/* D4, D5, D7 */
int validate_run(const struct options *options);	/* D6 */
int command_run(const struct options *options);		/* kmark lab time */

/*
 * The kernel's timer, as a program sees it: @tick_ns between two interrupts, which a coarse
 * clock shows, and the cycles that one takes, in which a loop that only reads the counter
 * does not run.  Watches for half a second.
 */
struct interrupts {
	double tick_ns;
	double cycles;		/* of one; 0: none was seen */
};

void interrupts_watch(struct interrupts *found);

/* A clock that only moves when the timer interrupts, in ns. */
double coarse_ns(void);

/* Prints the head and the line that names the columns. */
void print_head(const char *columns);

/* Work of a known length: a chain of additions, one by one. */
void work(void *loops);

/*
 * Loops of work() that take @us, from @per_loop cycles each, which are those of
 * the counter: the least of a thousand times of about 100 us each, so that no
 * later measurement is below it unless the CPU has become faster.
 */
double work_measure(void);
unsigned long work_loops(unsigned int us, double per_loop);

#endif
