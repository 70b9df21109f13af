/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring that stores events: one buffer for each CPU, made of packets of 4096 bytes.
 *
 * A writer reserves room by one compare-and-exchange on the buffer's position, without a LOCK
 * prefix, because only its own CPU writes there; fills the room; and adds the length to the
 * committed bytes of the packet.  So interrupts and NMIs may come in between and write events of
 * their own: room is never shared, a packet is whole when all of it is committed, and no interrupt
 * is switched off.  The caller disables preemption, so that the CPU stays the same.
 *
 *	position	bytes reserved so far, never wraps; & mask: place
 *	packet n	bytes [4096 n, 4096 n + 4096) of that count
 *	slot		place of packet n: n modulo the packets of the ring
 *
 * Not here: the layout of an event (class.h), the memory (session.h) and reading (part.h).
 *
 * The reader copies a packet and then takes it, by advancing buffer->oldest; a writer that
 * overwrites advances buffer->oldest first.  So the side that advances it accounts for the packet's
 * events, as read or as overwritten, and a packet that the reader has copied is whole.
 *
 * A ring that takes snapshots has two buffers for each CPU.  A snapshot makes ring->buffers point
 * to the other buffers; running writers still end in the buffers before.
 *
 * Most headers have 27 bits of the time (packet.h).  A reader can complete such a time if the
 * previous event of the packet is less than 2^27 ticks older.  To ensure this, buffer->until is
 * 2^27 ticks after a time that a packet has in full: the begin of a packet, or the time of an
 * extended header.  The writer of that time sets ->until after its reservation.  A writer whose own
 * time is not below ->until stores an extended header.
 *
 *	- The writer reads ->until after the position, and before the exchange that reserves its
 *	  room.  The exchange fails if another event has reserved room in between.  So ->until is
 *	  of an event that is stored before the position.
 *	- Times do not decrease with the position, so no later event is older than that one.
 *	- An event that comes in between a reservation and the store of ->until finds an older one
 *	  there, which can only cause an extended header that is not needed.
 *
 * The first event of a packet has the time of the packet's begin, so each packet can be read alone.
 *
 * Locks: none for writers.  One reader at a time (reader.c).
 */
#ifndef PROBES_CTF_RING_H
#define PROBES_CTF_RING_H

#include "counter.h"
#include "env.h"
#include "env_local.h"
#include "packet.h"

/*
 * Counter of a slot since the beginning: committed bytes in the low 48 bits, events above.
 * Both continue from lap to lap.
 */
#define RING_ONE_EVENT		BIT(48)
#define RING_BYTES		(RING_ONE_EVENT - 1)

/* Counts of a CPU, for all of its buffers. */
struct marker_ctf_counts {
	local_t lost;			/* events not stored */
	local_t overwritten;		/* events stored, and gone before they were read */

	/* The reader's. */
	u64 recorded;			/* events that have been read */
	u64 lost_reported;		/* part of @lost that a packet has reported */
	u64 number;			/* number of the packet that is read next */
};

struct marker_ctf_buffer {
	local_t position;
	unsigned long mask;		/* bytes of the buffer - 1 */
	u8 *data;			/* NULL: this CPU has none (yet) */
	local_t *committed;		/* committed bytes of each slot */
	/*
	 * Position up to which events fit into the open packet; RING_NO_PACKET; or 0: every event
	 * takes the slow path, until marker_ctf_buffer_update().  C: read behind the time.
	 */
	unsigned long limit;
	u64 until;			/* first time that has to be in full: see above */
	local_t time;			/* the latest, unless it comes from the counter */

	/* The slow path. */
	const struct marker_ctf_ring *ring;
	struct marker_ctf_counts *counts;
	const struct marker_ctf_buffer *other;	/* of the CPU, for snapshots */
	u16 *counted;			/* events of each slot in all laps before this one */
	unsigned long begun;		/* number of the last packet whose header is whole */

	/*
	 * Advanced by compare-and-exchange: by the reader, whose copy of the packet is then
	 * known to be valid; or, in a ring that overwrites, by a writer before it begins a
	 * packet in that slot.
	 */
	atomic_long_t oldest;
	u32 cpu;

	/* The reader's. */
	unsigned long flush;		/* the open packet can be read up to this position */
	unsigned long taken;		/* bytes of the oldest packet that have been read */
	u64 taken_time;			/* time of the last event in these; reader.c writes it */
	unsigned long next;		/* number of the packet that is read next, or its rest */
	u64 stopped;			/* time of marker_ctf_ring_stop() */
} ____cacheline_aligned;

struct marker_ctf_ring {
	struct marker_ctf_buffer __percpu *buffers;	/* the present buffers */
	u32 id;				/* id in the packets of the ring */
	bool overwrite;			/* overwrite the oldest packets, else discard events */
	bool stopped;			/* all events are lost */
	bool use_counter;		/* else the kernel's monotonic clock, in ns */
};

/* Bytes of memory for a buffer of @size bytes of events. */
static inline u64 marker_ctf_buffer_bytes(unsigned long size)
{
	return size + size / RING_PACKET * (sizeof(local_t) + sizeof(u16));
}

/* A limit below the end of every event. */
#define RING_NO_PACKET		1ul
#define RING_NONE_BEGUN		(~0ul)

/* Room for an event. */
struct marker_ctf_room {
	unsigned long at;		/* position of the header */
	u64 time;
	enum marker_ctf_form form;
};

/* Makes a buffer without memory, which loses all.  @other: that of the CPU; @now: of the clock. */
void marker_ctf_buffer_clear(struct marker_ctf_buffer *buffer, const struct marker_ctf_ring *ring,
			     struct marker_ctf_counts *counts,
			     const struct marker_ctf_buffer *other, u32 cpu, u64 now);

/*
 * 0, -ENOMEM.  @data: @size bytes, zeroed, a power of two of at least four
 * packets.  The buffer begins to be written to.
 */
int marker_ctf_buffer_init(struct marker_ctf_buffer *buffer, void *data, unsigned long size);

/* Call this when there are no writers any more. */
void marker_ctf_buffer_exit(struct marker_ctf_buffer *buffer);

/* Update a buffer after a change of ring->stopped. */
void marker_ctf_buffer_update(struct marker_ctf_buffer *buffer);

/*
 * Store events in the buffers @to from now on, which have been read completely. Times in these are
 * not below times in the previous buffers. Context: any; one at a time.
 */
void marker_ctf_ring_swap(struct marker_ctf_ring *ring, struct marker_ctf_buffer __percpu *to);

/*
 * Reserve room for an event of @len bytes behind its header, and read its time. @form: of the
 * header; @room->form is FORM_EXTENDED where the time needs it.
 * 0; -EAGAIN: ring->buffers has changed, so try again with the new one; -ENOSPC: the event is lost.
 *
 * Context: any, on the CPU of the buffer, with preemption off until the commit.
 */
int marker_ctf_ring_reserve(struct marker_ctf_buffer *buffer, enum marker_ctf_form form,
			    unsigned int len, struct marker_ctf_room *room);

/*
 * True if a time of the kernel's monotonic clock can be that of the next event. False: the clock
 * stepped back, or another event came in since the time was read.
 */
static __always_inline bool marker_ctf_ring_take_mono(struct marker_ctf_buffer *buffer, long time)
{
	long before = local_read(&buffer->time);

	return time >= before && local_try_cmpxchg(&buffer->time, &before, time);
}

/*
 * Like marker_ctf_ring_reserve(), in the quick case: the event fits into the open packet, its time
 * into a header of this form, and no other event comes in between. False: the caller has to use
 * marker_ctf_ring_reserve(). @form: compact or wide. @use_counter: as in the ring; else @room->time
 * is of the kernel's monotonic clock, read before the buffer was chosen.
 *
 * In a buffer, times never decrease: a time that was read before another event came in between is
 * not used. The exchange of the position finds such an event, or that of the latest time.
 */
static __always_inline bool marker_ctf_ring_try_reserve(struct marker_ctf_buffer *buffer,
							enum marker_ctf_form form,
							unsigned int len, bool use_counter,
							struct marker_ctf_room *room)
{
	unsigned long end;
	long at;

	room->form = form;
	room->at = local_read(&buffer->position);
	if (use_counter)
		room->time = marker_counter_read();
	else if (unlikely(!marker_ctf_ring_take_mono(buffer, room->time)))
		return false;
	end = room->at + marker_ctf_header_bytes(form) + len;
	/* C: for an operand of a comparison, in place of READ_ONCE() */
	barrier();
	if (unlikely(end > data_race(buffer->limit) || room->time >= data_race(buffer->until)))
		return false;
	at = room->at;
	return likely(local_try_cmpxchg(&buffer->position, &at, end));
}

/* Offset of a position in the buffer's memory. */
static __always_inline unsigned long marker_ctf_ring_offset(const struct marker_ctf_buffer *buffer,
							    unsigned long at)
{
	return at & buffer->mask;
}

/* The @bytes at @offset are filled; @bytes may have RING_ONE_EVENT added. */
static __always_inline void marker_ctf_ring_commit(struct marker_ctf_buffer *buffer,
						   unsigned long offset, unsigned long bytes)
{
	/* Too long for an operand of local_add(), which does not know. */
	OPTIMIZER_HIDE_VAR(bytes);
	/* A: the bytes come before their commit; marker_ctf_part_read() */
	smp_wmb();
	local_add(bytes, &buffer->committed[offset / RING_PACKET]);
}

/* Make all stored events readable, also those in the open packet. */
void marker_ctf_ring_flush(struct marker_ctf_buffer *buffer);

/* Flush, and report lost events.  There are no writers: the ring is stopped. */
void marker_ctf_ring_stop(struct marker_ctf_buffer *buffer);

/*
 * Make all stored events readable in a dump of the memory: write the length of the open packet
 * into its header.  @ended: nothing is stored any more; if storing an event was interrupted for
 * good, the packet is given up.  Context: any.
 */
void marker_ctf_ring_seal(struct marker_ctf_buffer *buffer, bool ended);

#endif
