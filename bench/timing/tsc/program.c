// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Code that the programs of the library share (program.h). */
#define _GNU_SOURCE
#include "program.h"
#include "tsc.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READS		2000
#define MIN_COUNT	6	/* fewer have no 95 % interval */

unsigned long program_argument(const char *text, unsigned long min, unsigned long max)
{
	char *end;
	unsigned long value;

	/* strtoul() also takes spaces and signs. */
	if (*text < '0' || *text > '9')
		program_exit_usage();
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value < min || value > max)
		program_exit_usage();
	return value;
}

void program_exit_usage(void)
{
	fprintf(stderr, "usage: %s\n", program_usage);
	exit(2);
}

void program_exit_failed(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median distance of two reads in a row, in ticks. */
static double measure_distance(void)
{
	double distances[READS];
	int i;

	for (i = 0; i < READS; i++) {
		tsc_counter_int_t first = tsc_readCycles_CI();

		distances[i] = tsc_CI2D(tsc_readCycles_CI() - first);
	}
	qsort(distances, READS, sizeof(*distances), compare);
	return distances[READS / 2];
}

/* Additions that wait for each other take a cycle each; the fastest of some runs counts. */
#define CHAIN_ADDS	(100 * 1000ul)
#define CHAIN_RUNS	50

static double ticks_per_cycle = 1;

static double measure_cycle(void)
{
	double least = 0, ticks;
	unsigned long value = 0;
	int run, i;

	for (run = 0; run < CHAIN_RUNS; run++) {
		tsc_counter_int_t start = tsc_readCycles_CI();

		for (i = 0; i < 1000; i++)
			__asm__ __volatile__(".rept 100\n\t" TSC_ADD_CHAIN "\n\t.endr"
					     : "+r" (value));
		ticks = tsc_CI2D(tsc_readCycles_CI() - start);
		if (!run || ticks < least)
			least = ticks;
	}
	return least / CHAIN_ADDS;
}

void program_start(void)
{
	if (tsc_init(TSC_NOSPEED) != TSC_OK)
		program_exit_failed("the counter's speed cannot be found out");
	if (tsc_pin(TSC_PIN_HERE) != TSC_OK)
		fprintf(stderr, "%s: not pinned to a CPU (%s): its counters may differ\n",
			program_invocation_short_name, strerror(errno));
	if (!tsc_isInvariant())
		puts("WARNING: the counter's rate is not invariant: read ticks, not ns");
	ticks_per_cycle = measure_cycle();
	printf("counter: %.3f MHz, two reads %.0f ticks apart, %#.4g ticks a core cycle\n",
	       tsc_CPUSpeed() / 1e6, measure_distance(), ticks_per_cycle);
}

void program_table(void)
{
	printf("%-30s %10s %21s %10s %10s  %18s\n", "", "", "95 % interval", "", "",
	       "Pentium III, 2000");
	printf("%-30s %10s %21s %10s %10s  %8s %9s\n", "median of one call", "cycles", "cycles",
	       "ns", "ticks", "cycles", "ns");
}

/*
 * Number of samples to leave out at each end for the sign test's 95 % interval
 * of the median, from the normal approximation, less one.
 */
static unsigned long rank(unsigned long count)
{
	unsigned long k = 0;

	while (2 * (k + 1) < count &&
	       (double)(count - 2 * (k + 1)) * (count - 2 * (k + 1)) >= 3.85 * count)
		k++;
	return k ? k - 1 : 0;
}

void program_row(const char *name, double *samples, unsigned long count,
		 double paper_cycles, double paper_ns)
{
	unsigned long skip = rank(count);
	double median;

	qsort(samples, count, sizeof(*samples), compare);
	median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
	printf("%-30s %10.2f", name, median / ticks_per_cycle);
	if (count >= MIN_COUNT)
		printf(" %10.2f %10.2f", samples[skip] / ticks_per_cycle,
		       samples[count - 1 - skip] / ticks_per_cycle);
	else
		printf(" %10s %10s", "-", "-");
	printf(" %10.2f %10.2f", tsc_cycles2Nsec_D2D(median), median);
	if (paper_cycles > 0)
		printf("  %8.2f %9.2f", paper_cycles, paper_ns);
	putchar('\n');
}
