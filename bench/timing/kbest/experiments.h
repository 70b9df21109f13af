/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The experiments of the lecture, which the program `kbest` runs. Each prints raw lines of
 * kmark-raw/1; tools/kmark computes the results.
 */
#ifndef KBEST_EXPERIMENTS_H
#define KBEST_EXPERIMENTS_H

#include "kbest.h"

#define MAX_TIMES	32

/* Options of the command line; each experiment uses a part of them. */
struct options {
	struct kbest_scheme scheme;
	unsigned int load;		/* processes on our CPU, we included */
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

/* Prints the head and the line that names the columns. */
void print_head(const char *columns);

/* Work of a known length: a chain of additions, one by one. */
void work(void *loops);

/*
 * Measure the ticks of one loop of work(), by K-best for about 100 us; and return the number of
 * loops that take @us, from such a measurement.
 */
double work_measure(void);
unsigned long work_loops(unsigned int us, double per_loop);

#endif
