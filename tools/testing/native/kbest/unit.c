// SPDX-License-Identifier: GPL-2.0-only
/*
 * The schemes of bench/timing/kbest with known answers; exit status 0 if they come out.
 *
 *	unit doubling		the loop starts its counter, warms up, and doubles
 *	unit choose K EPSILON VALUE...	prints fastest, spread, runs, converged
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "kbest.h"
#include "tsc.h"

#define TRIES	20
#define CMIN	50000.0

static unsigned long made;

static void count(void *unused)
{
	(void)unused;
	made++;
}

/* 1 + 2 + ... + calls, and one to warm up before each. */
static unsigned long expected(unsigned long calls)
{
	unsigned long n, sum = 0;

	for (n = 1; n <= calls; n *= 2)
		sum += n + 1;
	return sum;
}

/*
 * A counter that is never started has run for 100 ms, so that one call would
 * seem to be enough.  A CPU that is taken away looks the same, but not each time.
 */
static int doubling(enum kbest_clock clock)
{
	const struct timespec pause = { 0, 100000000 };
	unsigned long calls;
	int i;

	kbest_start(clock);
	nanosleep(&pause, NULL);
	for (i = 0; i < TRIES; i++) {
		made = 0;
		kbest_double(count, NULL, clock, CMIN, &calls);
		if (made != expected(calls))
			return 1;
		if (calls > 1)
			return 0;
	}
	return 1;
}

static double next(void *arg)
{
	char ***values = arg;

	return atof(*(*values)++);
}

static int choose(int argc, char **argv)
{
	struct kbest_scheme scheme = { .k = atoi(argv[0]), .n = argc - 2,
				       .epsilon = atof(argv[1]) };
	struct kbest_result result;
	char **values = argv + 2;

	kbest_choose(next, &values, &scheme, &result);
	printf("%g %g %u %d\n", result.cycles, result.spread, result.runs, result.converged);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "doubling"))
		return doubling(KBEST_COUNTER) || doubling(KBEST_GETTIME);
	if (argc > 4 && !strcmp(argv[1], "choose"))
		return choose(argc - 2, argv + 2);
	return 2;
}
