// SPDX-License-Identifier: GPL-2.0-only
/* The seldom parts of the ring: from packet to packet, and reading. */
#include "sink_ring.h"

static unsigned long packets(const struct ring_buffer *buffer)
{
	return (buffer->mask + 1) / RING_PACKET;
}

/* What is committed in the slot of packet @number when all before it is. */
static unsigned long bytes_before(const struct ring_buffer *buffer, unsigned long number)
{
	return number / packets(buffer) * RING_PACKET & RING_BYTES;
}

static u64 read_clock(const struct ring *ring)
{
	return ring->use_counter ? counter_read() : ktime_get_mono_fast_ns();
}

static unsigned long slot_of(const struct ring_buffer *buffer, unsigned long number)
{
	return number & (packets(buffer) - 1);
}

static unsigned long read_committed(const struct ring_buffer *buffer, unsigned long number)
{
	return local_read(&buffer->committed[slot_of(buffer, number)]);
}

/* Events of the packet, of whose slot so much is committed. */
static u16 events_of(const struct ring_buffer *buffer, unsigned long number,
		     unsigned long committed)
{
	return (u16)(committed / RING_ONE_EVENT) - buffer->counted[slot_of(buffer, number)];
}

static struct ring_header *header_of(const struct ring_buffer *buffer, unsigned long number)
{
	return (void *)(buffer->data + slot_of(buffer, number) * RING_PACKET);
}

/*
 * Whether packet @number may be begun: nobody is still writing what was in its
 * slot, nor does anybody want to read it.
 */
static bool may_begin(const struct ring_buffer *buffer, unsigned long number,
		      unsigned long *committed)
{
	unsigned long consumed;

	*committed = read_committed(buffer, number);
	if ((*committed & RING_BYTES) != bytes_before(buffer, number))
		return false;
	if (buffer->ring->overwrite)
		return true;
	/* B: what was read before ring_consume() may be written. */
	consumed = smp_load_acquire(&buffer->consumed);
	/* relay's reader takes the slot that is being written for empty. */
	return number - consumed < packets(buffer) - 1;
}

/* Done by who has moved the position past the header, before it commits that. */
static void begin_packet(struct ring_buffer *buffer, unsigned long number, u64 time,
			 unsigned long committed)
{
	struct ring_header *header = header_of(buffer, number);
	unsigned long slot = slot_of(buffer, number);

	/* Packet @number - packets() is what goes. */
	if (number - READ_ONCE(buffer->published) >= packets(buffer) &&
	    number >= packets(buffer))
		local_add(events_of(buffer, number, committed), &buffer->overwritten);
	buffer->counted[slot] = committed / RING_ONE_EVENT;
	header->magic = RING_MAGIC;
	header->stream = 0;
	header->begin = time;
	header->packet_bits = RING_PACKET * 8;
	header->number = number;
	header->cpu = buffer->cpu;
	ring_commit(buffer, slot * RING_PACKET, sizeof(*header));
}

/* Done by who has moved the position past the end, of which @used was used. */
static void end_packet(struct ring_buffer *buffer, unsigned long number, unsigned long used,
		       u64 time)
{
	struct ring_header *header = header_of(buffer, number);

	header->end = time;
	header->content_bits = used * 8;
	header->lost = local_read(&buffer->lost);
	WRITE_ONCE(buffer->told, header->lost);
	ring_commit(buffer, slot_of(buffer, number) * RING_PACKET, RING_PACKET - used);
}

static long lose(struct ring_buffer *buffer)
{
	local_inc(&buffer->lost);
	return -ENOSPC;
}

long ring_reserve(struct ring_buffer *buffer, unsigned int len, u64 *time)
{
	const unsigned int header = sizeof(struct ring_header);
	const struct ring *ring = buffer->ring;
	unsigned long at, used, next, committed;

	if (!buffer->data || READ_ONCE(ring->stopped))
		return lose(buffer);
	for (;;) {
		at = local_read(&buffer->position);
		*time = read_clock(ring);
		used = at & (RING_PACKET - 1);
		if (used && used + len < RING_PACKET) {
			if (local_cmpxchg(&buffer->position, at, at + len) == (long)at)
				return at;
			continue;
		}
		next = DIV_ROUND_UP(at, RING_PACKET);
		if (!may_begin(buffer, next, &committed))
			return lose(buffer);
		if (local_cmpxchg(&buffer->position, at, next * RING_PACKET + header + len) !=
		    (long)at)
			continue;
		if (used)
			end_packet(buffer, next - 1, used, *time);
		begin_packet(buffer, next, *time, committed);
		return next * RING_PACKET + header;
	}
}

/* An empty packet, if there is room: it says how many events were lost. */
static void tell_lost(struct ring_buffer *buffer)
{
	unsigned long at = local_read(&buffer->position), committed;
	u64 time = read_clock(buffer->ring);

	if (at & (RING_PACKET - 1) || !may_begin(buffer, at / RING_PACKET, &committed) ||
	    local_cmpxchg(&buffer->position, at, at + RING_PACKET) != (long)at)
		return;
	begin_packet(buffer, at / RING_PACKET, time, committed);
	end_packet(buffer, at / RING_PACKET, sizeof(struct ring_header), time);
}

void ring_flush(struct ring_buffer *buffer)
{
	unsigned long at, used;
	u64 time;

	if (!buffer->data)
		return;
	do {
		at = local_read(&buffer->position);
		used = at & (RING_PACKET - 1);
		time = read_clock(buffer->ring);
	} while (used && local_cmpxchg(&buffer->position, at, at - used + RING_PACKET) !=
		 (long)at);
	if (used)
		end_packet(buffer, at / RING_PACKET, used, time);
	else if (READ_ONCE(buffer->told) != (u64)local_read(&buffer->lost))
		tell_lost(buffer);
}

/*
 * The oldest packet of a full ring, @number: relay's reader will not show it.
 * If a packet is open, it is in that slot, and has counted what it overwrote.
 */
static void skip_packet(struct ring_buffer *buffer, unsigned long number, unsigned long at)
{
	if (!(at & (RING_PACKET - 1)))
		local_add(events_of(buffer, number, read_committed(buffer, number)),
			  &buffer->overwritten);
}

void ring_publish(struct ring_buffer *buffer)
{
	unsigned long at = local_read(&buffer->position), end = at / RING_PACKET;
	unsigned long number = buffer->published, n = packets(buffer), committed;

	if (!buffer->data)
		return;
	if (end - number >= n) {
		number = end - n + 1;
		skip_packet(buffer, number - 1, at);
	}
	for (; number < end; number++) {
		committed = read_committed(buffer, number);
		if ((committed & RING_BYTES) != bytes_before(buffer, number + n))
			break;
		/* A: in ring_commit() */
		smp_rmb();
		buffer->recorded += events_of(buffer, number, committed);
	}
	WRITE_ONCE(buffer->published, number);
}

void ring_consume(struct ring_buffer *buffer, unsigned long number)
{
	/* B: in may_begin() */
	smp_store_release(&buffer->consumed, number);
}

void ring_buffer_update(struct ring_buffer *buffer)
{
	const struct ring *ring = buffer->ring;

	WRITE_ONCE(buffer->limit, buffer->data && ring->use_counter && !ring->stopped ?
		   RING_LIMIT : 0);
}

int ring_buffer_init(struct ring_buffer *buffer, const struct ring *ring, u32 cpu,
		     void *data, unsigned long size)
{
	const unsigned long n = size / RING_PACKET;

	buffer->committed = kvcalloc(n, sizeof(*buffer->committed), GFP_KERNEL);
	buffer->counted = kvcalloc(n, sizeof(*buffer->counted), GFP_KERNEL);
	if (!buffer->committed || !buffer->counted) {
		ring_buffer_exit(buffer);
		return -ENOMEM;
	}
	buffer->ring = ring;
	buffer->cpu = cpu;
	buffer->mask = size - 1;
	WRITE_ONCE(buffer->data, data);
	ring_buffer_update(buffer);
	return 0;
}

void ring_buffer_exit(struct ring_buffer *buffer)
{
	kvfree(buffer->committed);
	kvfree(buffer->counted);
	buffer->committed = NULL;
	buffer->counted = NULL;
	buffer->data = NULL;
	ring_buffer_update(buffer);
}
