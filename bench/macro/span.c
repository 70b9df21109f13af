// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measure a workload: counter, clock, idle time, events.  The files of the kernel are read
 * outside of the measured span.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <time.h>
#include "tsc.h"
#include "workloads.h"

#define IDLE_FILE	"/proc/timer_list"
#define EVENTS_FILES	"/sys/kernel/tracing/per_cpu/cpu*/stats"
#define LINE		512

/* Idle time of all CPUs, waiting for a disk or not; exact to 1 ns where the kernel keeps it. */
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

/* Events that one CPU has stored, overwritten ones included. */
static unsigned long long events_of(const char *path)
{
	unsigned long long sum = 0, value;
	FILE *file = fopen(path, "r");
	char line[LINE];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "entries: %llu", &value) == 1 ||
		    sscanf(line, "overrun: %llu", &value) == 1)
			sum += value;
	if (file)
		fclose(file);
	return sum;
}

/* Number of stored events of all CPUs; 0 without tracefs. */
static unsigned long long events(void)
{
	unsigned long long sum = 0;
	glob_t found;
	size_t i;

	if (glob(EVENTS_FILES, 0, NULL, &found))
		return 0;
	for (i = 0; i < found.gl_pathc; i++)
		sum += events_of(found.gl_pathv[i]);
	globfree(&found);
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
