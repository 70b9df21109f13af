// SPDX-License-Identifier: GPL-2.0-only
/* See struct interrupts in experiments.h. */
#include <stdlib.h>
#include <time.h>
#include "experiments.h"
#include "tsc.h"

#define WATCH_MS	500
#define GAP_CYCLES	500.0		/* a loop that just reads does not take as long */
#define MOST_GAPS	100000
#define GAP_MOST_US	100.0		/* longer: it was another process */

double coarse_ns(void)
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

/* The cycles are the median of the times in which we did not run, but not for long. */
void interrupts_watch(struct interrupts *found)
{
	static double gaps[MOST_GAPS];
	double most = GAP_MOST_US / 1e6 * tsc_CPUSpeed(), gap, end;
	tsc_counter_int_t last = tsc_readCycles_CI(), now = last;
	struct timespec resolution;
	unsigned int n = 0;

	clock_getres(CLOCK_MONOTONIC_COARSE, &resolution);
	found->tick_ns = resolution.tv_sec * 1e9 + resolution.tv_nsec;
	end = tsc_CI2D(last) + WATCH_MS / 1e3 * tsc_CPUSpeed();
	for (; tsc_CI2D(now) < end && n < MOST_GAPS; last = now) {
		now = tsc_readCycles_CI();
		gap = tsc_CI2D(now - last);
		if (gap > GAP_CYCLES && gap < most)
			gaps[n++] = gap;
	}
	qsort(gaps, n, sizeof(*gaps), compare);
	found->cycles = n ? gaps[n / 2] : 0;
}
