/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * LTTng-UST as a peer: its tracepoint in the place of a site, which no session
 * listens to or which records.  Where it is not installed there is instead the
 * file of the same name in no-lttng; native.mk chooses.
 */
#ifndef NATIVE_LTTNG_H
#define NATIVE_LTTNG_H

#include "env_site.h"
#include "provider.h"

#define BENCH_LTTNG(X)	X(lttng, LTTNG)

#define MARK_LTTNG(name, fmt, ...)	lttng_ust_tracepoint(marker_bench, name, __VA_ARGS__)

/*
 * True if a recording of marker_bench:bench_event, and of no other event of marker_bench, was
 * started before the program.
 */
static inline bool lttng_records(void)
{
	return lttng_ust_tracepoint_enabled(marker_bench, bench_event);
}

static inline bool lttng_is_idle(void)
{
	return !lttng_ust_tracepoint_enabled(marker_bench, subsys_mark1);
}

#endif
