/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The minimum of storing an event: the time and the arguments into the next place of a plain array
 * that wraps around. It is a reference for real buffers, and no usable buffer: it has no reader,
 * and an interrupt or another CPU may write to the same place.
 */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include "env.h"
#include "fences.h"

#define RING_EVENTS	4096u		/* a power of two; 96 KB */

/* Three words: the time, the number of the event, and two arguments. */
struct bench_ring_event {
	u64 ticks;
	u32 id;
	u32 count;
	u64 pointer;
};

struct bench_ring {
	unsigned long next;
	struct bench_ring_event events[RING_EVENTS];
};

extern struct bench_ring marker_bench_ring;

static __always_inline void bench_ring_store(u32 id, u32 count, const void *pointer)
{
	unsigned long next = READ_ONCE(marker_bench_ring.next);
	struct bench_ring_event *event = &marker_bench_ring.events[next % RING_EVENTS];

	WRITE_ONCE(marker_bench_ring.next, next + 1);
	WRITE_ONCE(event->ticks, counter_now());
	WRITE_ONCE(event->id, id);
	WRITE_ONCE(event->count, count);
	WRITE_ONCE(event->pointer, (unsigned long)pointer);
}

/* Stores an event in the place of a site; all events have the same id. */
#define MARK_RING(name, fmt, count, pointer)	bench_ring_store(1, count, pointer)

#endif
