// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_perf SYSTEM/EVENT: has the kernel write each event of CPU 0 into a buffer of perf, as
 * `perf record --overwrite` does, and keeps it so in the background.  Prints the number of the
 * process that holds it; it ends with that.  1: the kernel refused; 2: wrong use.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in
 * the bare guest.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "hold.h"

#define PAGES	(1 + 256)	/* a header and 1 MiB */

/* The number that tracefs gives to an event. */
static unsigned int read_number(const char *event)
{
	char path[256];
	unsigned int number;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", event);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%u", &number) != 1)
		err(1, "%s", path);
	fclose(file);
	return number;
}

static int event;

/* A child does not inherit the buffer. As it is only read, the oldest events are overwritten. */
static void map_buffer(void)
{
	if (mmap(NULL, PAGES * getpagesize(), PROT_READ, MAP_SHARED, event, 0) == MAP_FAILED)
		err(1, "the buffer");
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW,
		.write_backward = 1,
	};

	if (argc != 2) {
		fputs("usage: attach_perf SYSTEM/EVENT\n", stderr);
		return 2;
	}
	attr.config = read_number(argv[1]);
	event = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (event < 0)
		err(1, "%s", argv[1]);
	return hold(map_buffer);
}
