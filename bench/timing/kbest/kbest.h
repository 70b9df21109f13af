/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timing schemes of CMU 15-213, "Time Measurement" (2002), with the names
 * of the lecture: a counter that is started and got, calls repeated until there
 * are enough cycles, and the best K of up to N measurements.
 *
 * A "cycle" is a tick of the counter of the TSC library (bench/timing/tsc), or of the
 * clock, in nanoseconds.  For one thread, which should be pinned.
 */
#ifndef KBEST_H
#define KBEST_H

#include <stdbool.h>
#include <stdint.h>

#define KBEST_MAX_N	1000

enum kbest_clock {
	KBEST_COUNTER,		/* the time stamp counter */
	KBEST_GETTIME,		/* clock_gettime(), in ns: the lecture's gettimeofday() */
};

/* The lecture's: K = 3, N = 20, epsilon = 0.001, CMIN = 50000. */
struct kbest_scheme {
	enum kbest_clock clock;
	unsigned int k, n;	/* 1 <= k <= n <= KBEST_MAX_N */
	double epsilon;		/* the K fastest are so close: (slowest - fastest) / fastest */
	double cmin;		/* least cycles of a measurement; 0: one call, whatever it takes */
};

struct kbest_result {
	double cycles;		/* cycles of the fastest call */
	double spread;		/* spread of the K fastest, to compare with epsilon */
	unsigned int runs;	/* measurements */
	unsigned long calls;	/* in each of them */
	bool converged;		/* within epsilon before N were made */
	double all[KBEST_MAX_N];	/* every measurement, in the order made */
};

/* The counter, in two halves. */
void access_counter(unsigned int *hi, unsigned int *lo);

/* Cycles since the last start_counter(). */
void start_counter(void);
double get_counter(void);

/* Start and read @clock, as the functions above do with the counter. */
void kbest_start(enum kbest_clock clock);
double kbest_get(enum kbest_clock clock);

/*
 * Cycles of a call of function(arg), from as many calls in a row as take cmin
 * cycles or more: after one to warm up, 1, 2, 4, ...  @calls: how many it were.
 */
double kbest_double(void (*function)(void *arg), void *arg, enum kbest_clock clock,
		    double cmin, unsigned long *calls);

/* Measures until the K fastest agree, N times at most. */
void kbest_measure(void (*function)(void *arg), void *arg,
		   const struct kbest_scheme *scheme, struct kbest_result *result);

/* Like kbest_measure(), over values that measure() makes. */
void kbest_choose(double (*measure)(void *arg), void *arg,
		  const struct kbest_scheme *scheme, struct kbest_result *result);

#endif
