// SPDX-License-Identifier: GPL-2.0-only
/*
 * A loop that stores one complete event each time, with its time, what it is
 * and its two arguments: row A19 of the thread.  All variants store, so there
 * is one state.  A site whose probe stores is in BENCH_EVENT_VARIANTS, and who
 * says "enabled" has connected that probe to bench_event; what stores without a
 * probe of ours is in BENCH_EVENT_ALWAYS, or in peers.h.
 */
#define BENCH_SHAPE		event
#define BENCH_SITES		1
#define BENCH_MARKER		bench_event
#define BENCH_LOOPS_DISABLED	0
#define BENCH_LOOPS_ENABLED	10000
#define BENCH_BODY(SITE)	SITE

#include "loop.h"
#include "ring.h"

#define BENCH_EVENT_VARIANTS(X)						\
	X(none, NONE) X(null, NONE) BENCH_SINK(X)

/* MARK() with the probe ctf, of which probes/ctf/ctf.h tells. */
#define BENCH_SINK(X)		X(sink, SINK)
#define MARK_SINK		MARK

#define BENCH_EVENT_ALWAYS(X)						\
	X(ring, RING) BENCH_EVENT_PEERS(X)

BENCH_CASES_OF(BENCH_EVENT_VARIANTS, BENCH_NONE, BENCH_NONE, BENCH_EVENT_ALWAYS);
