// SPDX-License-Identifier: GPL-2.0-only
/*
 * A loop that stores one complete event each time, with its time, its number and its two
 * arguments: row A19 of the thread. All variants store events, so there is one state.
 * BENCH_EVENT_VARIANTS has sites whose probe stores; a run "enabled" needs that probe connected to
 * bench_event. BENCH_EVENT_ALWAYS and peers.h have mechanisms that store without a probe of ours.
 */
#ifndef BENCH_SHAPE
#define BENCH_SHAPE		event
#define BENCH_SITES		1
#define BENCH_EVENT_WORK()	do { } while (0)
#endif
#define BENCH_MARKER		bench_event
#define BENCH_LOOPS_DISABLED	0
#define BENCH_LOOPS_ENABLED	10000
#define BENCH_BODY(SITE)						\
do {									\
	SITE;								\
	BENCH_EVENT_WORK();						\
} while (0)

#include "loop.h"
#include "ring.h"

#define BENCH_EVENT_VARIANTS(X)						\
	BENCH_NULLS(X) BENCH_SINK(X)

/* MARK() with the probe ctf, of which probes/ctf/ctf.h tells. */
#define BENCH_SINK(X)		X(sink, SINK)
#define MARK_SINK		MARK

/* A read of the counter and nothing else: the part of an event that is its time. */
#define BENCH_COUNTER(X)	X(counter, COUNTER)
#define MARK_COUNTER(...)	((void)counter_now())

#define BENCH_EVENT_ALWAYS(X)						\
	X(ring, RING) BENCH_COUNTER(X) BENCH_EVENT_PEERS(X)

BENCH_CASES_OF(BENCH_EVENT_VARIANTS, BENCH_NONE, BENCH_NONE, BENCH_EVENT_ALWAYS);
