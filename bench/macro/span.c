// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a workload took: counter, clock, idle time, events.  The files of the
 * kernel are read outside of what is measured.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "tsc.h"
#include "workloads.h"

#define IDLE_FILE	"/proc/timer_list"
#define EVENTS_FILE	"/sys/kernel/debug/markers/results"
#define LINE		512

/* Of all CPUs, waiting for a disk or not; exact to 1 ns, where the kernel keeps it. */
static unsigned long long idle_ns(void)
{
	unsigned long long sum = 0, value;
	FILE *file = fopen(IDLE_FILE, "r");
	char line[LINE];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " .idle_sleeptime : %llu", &value) == 1 ||
		    sscanf(line, " .iowait_sleeptime : %llu", &value) == 1)
			sum += value;
	if (file)
		fclose(file);
	return sum;
}

/* Summed over all connections: lines of id, selector, probe, what, key, value. */
static unsigned long long events(void)
{
	unsigned long long sum = 0, value;
	FILE *file = fopen(EVENTS_FILE, "r");
	char line[LINE];

	while (file && fgets(line, sizeof(line), file)) {
		char *found = strstr(line, "\tcount\tevents\t");
		char *last = strrchr(line, '\t');

		if (found && sscanf(last, "%llu", &value) == 1)
			sum += value;
	}
	if (file)
		fclose(file);
	return sum;
}

static unsigned long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

void span_start(struct span *span)
{
	span->events = events();
	span->idle_ns = idle_ns();
	span->ns = now_ns();
	span->ticks = tsc_readCycles_CI();
}

void span_stop(struct span *span)
{
	span->ticks = tsc_readCycles_CI() - span->ticks;
	span->ns = now_ns() - span->ns;
	span->idle_ns = idle_ns() - span->idle_ns;
	span->events = events() - span->events;
}
