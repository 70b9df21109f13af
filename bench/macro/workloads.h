/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The workloads of macro: each does something whole that kernels are used for,
 * many times, and says how long it took.
 */
#ifndef BENCH_MACRO_WORKLOADS_H
#define BENCH_MACRO_WORKLOADS_H

/* Start and stop of the clock around the work of a workload. */
struct span {
	unsigned long long ticks;	/* ticks of the time stamp counter */
	unsigned long long ns;		/* CLOCK_MONOTONIC */
	unsigned long long idle_ns;	/* the CPUs had nothing to run; 0: not known */
	unsigned long long events;	/* calls of the probe `count' */
};

void span_start(struct span *span);
void span_stop(struct span *span);	/* stores the time since span_start() */

/*
 * Run `ops' operations of a workload, and measure them.  `command' is the command line behind
 * "--", NULL-terminated.  0, or 1 after a message.
 */
int pipe_run(unsigned int ops, char **command, struct span *span);
int ping_run(unsigned int ops, char **command, struct span *span);
int metadata_run(unsigned int ops, char **command, struct span *span);
int compile_run(unsigned int ops, char **command, struct span *span);
int perf_run(unsigned int ops, char **command, struct span *span);
int flood_run(unsigned int ops, char **command, struct span *span);

#endif
