// SPDX-License-Identifier: GPL-2.0-only
/* K-best of the lecture (kbest.h). */
#include <time.h>
#include "kbest.h"
#include "tsc.h"

#define MOST_CALLS	1000000000000ul

static unsigned int cyc_hi, cyc_lo;
static double started_ns;

void access_counter(unsigned int *hi, unsigned int *lo)
{
	tsc_counter_t now = tsc_readCycles_C();

	*hi = now.high;
	*lo = now.low;
}

void start_counter(void)
{
	access_counter(&cyc_hi, &cyc_lo);
}

double get_counter(void)
{
	unsigned int hi, lo;

	access_counter(&hi, &lo);
	/* In 64 bits; the lecture borrows by hand and adds up doubles. */
	return (double)(((uint64_t)hi << 32 | lo) - ((uint64_t)cyc_hi << 32 | cyc_lo));
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

void kbest_start(enum kbest_clock clock)
{
	if (clock == KBEST_COUNTER)
		start_counter();
	else
		started_ns = now_ns();
}

double kbest_get(enum kbest_clock clock)
{
	return clock == KBEST_COUNTER ? get_counter() : now_ns() - started_ns;
}

double kbest_double(void (*function)(void *arg), void *arg, enum kbest_clock clock,
		    double cmin, unsigned long *calls)
{
	unsigned long count, left;
	double cycles;

	for (count = 1;; count *= 2) {
		function(arg);
		/* The slide calls get_counter() here, and never starts. */
		kbest_start(clock);
		for (left = count; left; left--)
			function(arg);
		cycles = kbest_get(clock);
		if (cycles >= cmin || count >= MOST_CALLS)
			break;
	}
	*calls = count;
	return cycles / count;
}

/* Puts one more value among the K least, which are in order. */
static void insert(double *best, unsigned int k, unsigned int n, double value)
{
	unsigned int i = n < k ? n : k;

	if (i == k && value >= best[k - 1])
		return;
	if (i == k)
		i--;
	for (; i && best[i - 1] > value; i--)
		best[i] = best[i - 1];
	best[i] = value;
}

void kbest_choose(double (*measure)(void *arg), void *arg,
		  const struct kbest_scheme *scheme, struct kbest_result *result)
{
	double best[KBEST_MAX_N], slowest;
	unsigned int i;

	result->converged = false;
	for (i = 0; i < scheme->n && !result->converged; i++) {
		result->all[i] = measure(arg);
		insert(best, scheme->k, i, result->all[i]);
		slowest = best[i + 1 < scheme->k ? i : scheme->k - 1];
		result->spread = best[0] > 0 ? (slowest - best[0]) / best[0] : 0;
		result->converged = i + 1 >= scheme->k && result->spread <= scheme->epsilon;
	}
	result->runs = i;
	result->cycles = best[0];
}

struct measurement {
	void (*function)(void *arg);
	void *arg;
	const struct kbest_scheme *scheme;
	unsigned long calls;
};

static double measure_once(void *arg)
{
	struct measurement *m = arg;

	return kbest_double(m->function, m->arg, m->scheme->clock, m->scheme->cmin, &m->calls);
}

void kbest_measure(void (*function)(void *arg), void *arg,
		   const struct kbest_scheme *scheme, struct kbest_result *result)
{
	struct measurement m = { function, arg, scheme, 0 };

	kbest_choose(measure_once, &m, scheme, result);
	result->calls = m.calls;
}
