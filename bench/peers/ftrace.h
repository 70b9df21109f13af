/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call of a function that ftrace can see, as a peer: enabled, the function has an empty callback
 * of its own. fprobe, which Debian's 6.1 lacks, is built on such callbacks.
 */
#ifndef PEERS_FTRACE_H
#define PEERS_FTRACE_H

void marker_bench_ftrace_target(int count, void *pointer);

#define MARK_FTRACE(name, fmt, ...)	marker_bench_ftrace_target(__VA_ARGS__)

#endif
