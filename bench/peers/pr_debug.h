/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A message of dynamic debug as two peers: pr_debug is printed into the log, and debug_site goes
 * to the probe that markers.ko has connected to it.  All copies of a site have one descriptor,
 * which this file defines itself, so that pr_debug.c can ask for its state.
 */
#ifndef PEERS_PR_DEBUG_H
#define PEERS_PR_DEBUG_H

#include <linux/dynamic_debug.h>

/* Prefixes of the names of the kernel's own descriptors. */
#define marker_bench_pr_debug	__UNIQUE_ID_ddebug_marker_bench_pr_debug
#define marker_bench_debug_site	__UNIQUE_ID_ddebug_marker_bench_debug_site

extern struct _ddebug marker_bench_pr_debug, marker_bench_debug_site;
extern const char marker_bench_debug_format[];

#define BENCH_DEBUG_SITE(descriptor, ...)				\
do {									\
	if (static_branch_unlikely(&(descriptor).key.dd_key_false))	\
		__dynamic_pr_debug(&(descriptor), marker_bench_debug_format,	\
				   __VA_ARGS__);			\
} while (0)

#define MARK_PR_DEBUG(name, fmt, ...)	BENCH_DEBUG_SITE(marker_bench_pr_debug, __VA_ARGS__)
#define MARK_DEBUG_SITE(name, fmt, ...)	BENCH_DEBUG_SITE(marker_bench_debug_site, __VA_ARGS__)

#endif
