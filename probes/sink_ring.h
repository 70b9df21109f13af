/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring that events are stored in: one buffer a CPU, made of packets of
 * 4096 bytes, as they go into the file.
 *
 * A writer reserves room by one compare-and-exchange on the buffer's position,
 * without a LOCK prefix, since only its own CPU writes there; fills it; and adds
 * its length to what has been committed of the packet.  So interrupts and NMIs
 * may come in between and write events of their own: room is never shared, a
 * packet is whole when all of it is committed, and no interrupt is switched
 * off.  Preemption is, by the caller, so that the CPU stays the same.
 *
 *	position	bytes reserved so far, never wraps; & mask: where
 *	packet n	bytes [4096 n, 4096 n + 4096) of that count
 *	slot		where packet n lies: n modulo the packets of the ring
 *
 * Not here: what an event looks like (sink_event.h), where the memory comes
 * from and who reads it (sink_session.h).
 *
 * Locks: none for writers.  There is one reader at a time (ring_publish()), and
 * that is the caller's affair.
 */
#ifndef PROBES_SINK_RING_H
#define PROBES_SINK_RING_H

#include "counter.h"
#include "env.h"
#include "env_local.h"

/*
 * One page: a file write that a signal or a full disk cuts short ends at a
 * page, so what it leaves behind are whole packets.
 */
#define RING_PACKET		4096ul

/* What a packet begins with, in the file, too: little endian on x86. */
struct ring_header {
	u32 magic;
	u32 stream;
	u64 begin;			/* time of its first event, of the clock */
	u64 end;
	u64 content_bits;		/* with this header, without the rest */
	u64 packet_bits;
	u64 number;			/* of the packet */
	u64 lost;			/* events of this CPU lost so far */
	u64 cpu;
};

#define RING_MAGIC		0xc1fc1fc1u

/* The longest event. */
#define RING_EVENT_MAX		(RING_PACKET - sizeof(struct ring_header) - 8)

/*
 * What has been committed in a slot since the beginning: bytes in the low 48
 * bits, events above; both go on from lap to lap.
 */
#define RING_ONE_EVENT		BIT(48)
#define RING_BYTES		(RING_ONE_EVENT - 1)

struct ring_buffer {
	local_t position;
	unsigned long mask;		/* bytes of the buffer - 1 */
	u8 *data;			/* NULL: this CPU has none (yet) */
	local_t *committed;		/* of each slot */
	/* RING_LIMIT, or 0: every event takes the slow way. */
	unsigned long limit;

	/* Seldom touched by writers. */
	const struct ring *ring;
	u16 *counted;			/* of each slot: events of all laps before this one */
	local_t lost;			/* events not stored */
	local_t overwritten;		/* events stored, and gone before they were read */
	unsigned long consumed;		/* packets that have been read, or skipped */
	u64 told;			/* of @lost, in a packet */
	u32 cpu;

	/* The reader's. */
	unsigned long published;	/* packets that can be, or have been, read */
	u64 recorded;			/* events in them */
} ____cacheline_aligned;

struct ring {
	struct ring_buffer __percpu *buffers;
	bool overwrite;			/* the oldest packets, else discard events */
	bool stopped;			/* all events are lost */
	bool use_counter;		/* else the kernel's monotonic clock, in ns */
};

/* What an event may end at: one byte of a packet is always left over. */
#define RING_LIMIT		(RING_PACKET - 2)

/*
 * 0, -ENOMEM.  @data: @size bytes, zeroed, a power of two of at least four
 * packets.  The buffer begins to be written to.
 */
int ring_buffer_init(struct ring_buffer *buffer, const struct ring *ring, u32 cpu,
		     void *data, unsigned long size);

/* Nobody writes any more. */
void ring_buffer_exit(struct ring_buffer *buffer);

/* To be called for each buffer when ring->stopped or ->use_counter changes. */
void ring_buffer_update(struct ring_buffer *buffer);

/*
 * Room for an event of @len bytes, up to RING_EVENT_MAX, and its time: the
 * position of it, or a negative number, and then the event is lost.
 *
 * Context: any, on the CPU of the buffer, with preemption off until the commit.
 */
long ring_reserve(struct ring_buffer *buffer, unsigned int len, u64 *time);

/*
 * The same where it is quick: in the open packet, and nothing comes in between.
 * False: ring_reserve() has to be asked.
 *
 * In a buffer, times never go down: one that was read before another event came
 * in between is not used.
 */
static __always_inline bool ring_try_reserve(struct ring_buffer *buffer, unsigned int len,
					     unsigned long *at, u64 *time)
{
	*at = local_read(&buffer->position);
	*time = counter_read();
	/* At 0 no packet is open: -1 is past the limit, too. */
	if (unlikely(((*at - 1) & (RING_PACKET - 1)) + len > READ_ONCE(buffer->limit)))
		return false;
	return likely(local_cmpxchg(&buffer->position, *at, *at + len) == (long)*at);
}

/* Where in the buffer's memory a position is. */
static __always_inline unsigned long ring_offset(const struct ring_buffer *buffer,
						 unsigned long at)
{
	return at & buffer->mask;
}

/* The @bytes at @offset are filled; @bytes may have RING_ONE_EVENT added. */
static __always_inline void ring_commit(struct ring_buffer *buffer, unsigned long offset,
					unsigned long bytes)
{
	/* Too long for an operand of local_add(), which does not know. */
	OPTIMIZER_HIDE_VAR(bytes);
	/* A: the bytes come before their commit; ring_publish() */
	smp_wmb();
	local_add(bytes, &buffer->committed[offset / RING_PACKET]);
}

/*
 * Ends the open packet, so that it can be read, and tells of lost events.
 *
 * Context: on the CPU of the buffer with interrupts off, or that CPU is offline.
 */
void ring_flush(struct ring_buffer *buffer);

/*
 * Looks which packets are whole: those before buffer->published.  The packets
 * in [consumed, published) can be read, and are left alone by writers unless
 * the ring overwrites and is not stopped.  One reader at a time.
 */
void ring_publish(struct ring_buffer *buffer);

/* The reader is done with the packets before @number. */
void ring_consume(struct ring_buffer *buffer, unsigned long number);

#endif
