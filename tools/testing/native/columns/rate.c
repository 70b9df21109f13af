// SPDX-License-Identifier: GPL-2.0-only
/* Print the rate of the counter in Hz, by code that shares nothing with bench/timing. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define TRIES	100

struct pair {
	double ns;
	uint64_t ticks;
};

/* Return the pair of readings that took the least time of some. */
static struct pair read_pair(void)
{
	uint64_t least = UINT64_MAX, before, after;
	struct timespec now;
	struct pair best = { 0 };
	int i;

	for (i = 0; i < TRIES; i++) {
		before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC_RAW, &now);
		after = __rdtsc();
		if (after - before < least) {
			least = after - before;
			best = (struct pair){ now.tv_sec * 1e9 + now.tv_nsec, before + least / 2 };
		}
	}
	return best;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 300000000 };
	struct pair start = read_pair(), end;

	nanosleep(&pause, NULL);
	end = read_pair();
	printf("%.0f\n", (end.ticks - start.ticks) * 1e9 / (end.ns - start.ns));
	return 0;
}
