/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The micro-operations of kmark kernel-cost: each is one thing that user space asks of a
 * kernel, small enough to be counted in instructions.
 */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include <stdbool.h>

struct operation {
	const char *name;
	/* returns NULL, or the feature that this kernel lacks; then the others are not called */
	const char *(*start)(void);
	void (*before)(void);	/* each run; not counted */
	void (*run)(void);	/* one operation */
	void (*after)(void);	/* called before each run; not counted */
	void (*stop)(void);
	unsigned int more;	/* uncounted runs behind each rest, besides the first */
	bool many_paths;	/* free pages, slabs and entropy change its path */
};

extern const struct operation simple_operations[];	/* in one process */
extern const struct operation memory_operations[];	/* memory, processes */
extern const struct operation pair_operations[];	/* with a second process */
extern const struct operation opened_operations[];	/* tracepoint, key, marker in use */
extern const struct operation network_operations[];	/* TCP, IPv6, epoll */
extern const struct operation file_operations[];	/* file systems, io_uring */
extern const struct operation limited_operations[];	/* cgroup, and a filter that stays */
/* All arrays end with an entry without a name. */

/* Ends the program with a message if `result` is negative. */
long must(long result, const char *what);

/*
 * An operation of the user: a file in C that has operation(), and operation_start() if it has to
 * prepare something, which returns NULL or the feature that this kernel lacks.
 */
#pragma weak operation
#pragma weak operation_start
void operation(void);
const char *operation_start(void);

/* Parts of operations that others have, too. */
void null_run(void);
void name_run(void);
void bring_up_loopback(int fd);
int put_line(const char *path, const char *line);
void be_real_time(int priority);	/* 0: no longer */

const char *fault_start(void);
void fault_run(void);
void fault_after(void);
void fault_stop(void);

const char *udp_start(void);
void udp_run(void);
void udp_stop(void);

const char *pipe_start(void);
void pipe_run(void);
void pipe_stop(void);

#endif
