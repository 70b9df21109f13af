/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The micro-operations of kmark kernel-cost: each is one thing that user space asks of a
 * kernel, small enough to be counted in instructions.
 */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

struct operation {
	const char *name;
	/* returns NULL, or the feature that this kernel lacks; then the others are not called */
	const char *(*start)(void);
	void (*before)(void);	/* each run; not counted */
	void (*run)(void);	/* one operation */
	void (*after)(void);	/* called before each run; not counted */
	void (*stop)(void);
};

extern const struct operation simple_operations[];	/* in one process */
extern const struct operation memory_operations[];	/* memory, processes */
extern const struct operation pair_operations[];	/* with a second process */
extern const struct operation opened_operations[];	/* tracepoint, key, marker in use */
/* All arrays end with an entry without a name. */

/* Ends the program with a message if `result` is negative. */
long must(long result, const char *what);

/* Path of this program, which the operation executes. */
extern const char *program;

/* Renames the task. */
void name_run(void);

const char *udp_start(void);
void udp_run(void);
void udp_stop(void);

const char *pipe_start(void);
void pipe_run(void);
void pipe_stop(void);

#endif
