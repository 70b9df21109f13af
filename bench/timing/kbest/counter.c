// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counter's rate by sleeping, as in the lecture (ticks by the nominal time of the sleep) and
 * by the clock, and the cost of a read.
 */
#include <stdio.h>
#include <time.h>
#include "experiments.h"
#include "tsc.h"

int counter_run(const struct options *options)
{
	const struct timespec pause = { options->sleep_ms / 1000,
					options->sleep_ms % 1000 * 1000000l };
	double slept, empty;
	unsigned int i;

	print_head("speed\tround\tsleep_ms\tby_sleep_hz\tby_clock_hz\tempty_cycles");
	for (i = 0; i < options->rounds; i++) {
		start_counter();
		nanosleep(&pause, NULL);
		slept = get_counter();
		start_counter();
		empty = get_counter();
		printf("speed\t%u\t%u\t%.0f\t%.0f\t%.0f\n", i, options->sleep_ms,
		       slept * 1000 / options->sleep_ms, tsc_measureSpeed(options->sleep_ms),
		       empty);
	}
	return 0;
}
