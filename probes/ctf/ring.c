// SPDX-License-Identifier: GPL-2.0-only
/* The slow paths of the ring: from packet to packet. */
#include "slot.h"

/*
 * The latest time of the kernel's monotonic clock in the buffers of a CPU. An event in the first
 * packet after the buffers were swapped is later than all in the other buffer.
 */
static long latest_time(const struct marker_ctf_buffer *buffer)
{
	return max(local_read(&buffer->time), local_read(&buffer->other->time));
}

/* Read the clock.  Called after the position was read, so that times rise with it. */
static u64 read_time(struct marker_ctf_buffer *buffer)
{
	long now, before;

	if (buffer->ring->use_counter)
		return marker_counter_read();
	/* This clock can step back when its frequency is adjusted. */
	do {
		before = local_read(&buffer->time);
		now = max_t(long, ktime_get_mono_fast_ns(), latest_time(buffer));
	} while (local_cmpxchg(&buffer->time, before, now) != before);
	return now;
}

/* Read the clock of another CPU's buffer, without a promise about its later events. */
static u64 peek_time(const struct marker_ctf_buffer *buffer)
{
	if (buffer->ring->use_counter)
		return marker_counter_read();
	return max_t(long, ktime_get_mono_fast_ns(), latest_time(buffer));
}

/*
 * True if the slot of packet @number, whose events are all @committed, is free: the old packet
 * there has been read, or is overwritten now.
 */
static bool free_slot(struct marker_ctf_buffer *buffer, unsigned long number,
		      unsigned long committed)
{
	unsigned int left;
	long oldest;

	for (;;) {
		/* B: memory that marker_ctf_part_read() has copied may be written. */
		oldest = atomic_long_read_acquire(&buffer->oldest);
		/* Below 0: @number is begun already, as its caller will see. */
		if ((long)(number - number_of(oldest)) < (long)packets(buffer))
			return true;
		if (!buffer->ring->overwrite)
			return false;
		left = events_of(buffer, number, committed) - (oldest & RING_TAKEN);
		if (atomic_long_cmpxchg(&buffer->oldest, oldest,
					(number_of(oldest) + 1) << RING_TAKEN_BITS) != oldest)
			continue;
		local_add(left, &buffer->counts->overwritten);
		return true;
	}
}

/* True if packet @number may be begun: its slot is free and no writer uses it any more. */
static bool may_begin(struct marker_ctf_buffer *buffer, unsigned long number,
		      unsigned long *committed)
{
	*committed = read_committed(buffer, number);
	return (*committed & RING_BYTES) == bytes_before(buffer, number) &&
	       free_slot(buffer, number, *committed);
}

/*
 * Begin a packet: called by the writer that has moved the position past the header, before it
 * commits the header.
 */
static void begin_packet(struct marker_ctf_buffer *buffer, unsigned long number, u64 time,
			 unsigned long committed)
{
	struct marker_ctf_packet_header *header = header_of(buffer, number);
	unsigned long slot = slot_of(buffer, number);

	buffer->counted[slot] = committed / RING_ONE_EVENT;
	header->magic = RING_MAGIC;
	header->stream = 0;
	header->begin = time;
	header->end = 0;
	header->content_bits = 0;
	header->lost = local_read(&buffer->counts->lost);
	header->packet_bits = RING_PACKET * 8;
	header->number = number;
	header->cpu = (u64)buffer->ring->id << 32 | buffer->cpu;
	/* The header comes before the events that may end the packet, on this CPU. */
	barrier();
	WRITE_ONCE(buffer->begun, number);
	marker_ctf_ring_commit(buffer, slot * RING_PACKET, sizeof(*header));
}

/*
 * End a packet: called by the writer that has moved the position past the end. @used: its used
 * bytes.
 */
static void end_packet(struct marker_ctf_buffer *buffer, unsigned long number, unsigned long used,
		       u64 time)
{
	struct marker_ctf_packet_header *header = header_of(buffer, number);

	header->end = time;
	header->content_bits = used * 8;
	header->lost = local_read(&buffer->counts->lost);
	marker_ctf_ring_commit(buffer, slot_of(buffer, number) * RING_PACKET, RING_PACKET - used);
}

static int lose(struct marker_ctf_buffer *buffer)
{
	local_inc(&buffer->counts->lost);
	return -ENOSPC;
}

/*
 * Let events take the quick path up to the end of packet @number, in which the caller has reserved
 * room. @limit: buffer->limit before that. C: a limit of 0 stays.
 */
static void set_limit(struct marker_ctf_buffer *buffer, unsigned long limit, unsigned long number)
{
	/* One byte of a packet always stays free. */
	const unsigned long end = (number + 1) * RING_PACKET - 1;

	if (limit && limit != end)
		cmpxchg(&buffer->limit, limit, end);
}

/* Reserve room in the open packet: 0; -EAGAIN: another event came in between; -E2BIG. */
static int reserve_in_packet(struct marker_ctf_buffer *buffer, enum marker_ctf_form form,
			     unsigned int len, struct marker_ctf_room *room)
{
	unsigned long used = room->at & (RING_PACKET - 1), limit = READ_ONCE(buffer->limit);

	room->form = room->time < buffer->until ? form : FORM_EXTENDED;
	len += marker_ctf_header_bytes(room->form);
	if (!used || used + len >= RING_PACKET)
		return -E2BIG;
	if (local_cmpxchg(&buffer->position, room->at, room->at + len) != (long)room->at)
		return -EAGAIN;
	if (room->form == FORM_EXTENDED)
		WRITE_ONCE(buffer->until, room->time + EVENT_TIME_SPAN);
	set_limit(buffer, limit, room->at / RING_PACKET);
	return 0;
}

/* Reserve room behind the header of a new packet: 0; -EAGAIN; -ENOSPC: there is no free packet. */
static int reserve_packet(struct marker_ctf_buffer *buffer, enum marker_ctf_form form,
			  unsigned int len, struct marker_ctf_room *room)
{
	const unsigned long at = room->at, next = DIV_ROUND_UP(at, RING_PACKET);
	unsigned long used = at & (RING_PACKET - 1), limit = READ_ONCE(buffer->limit), committed;

	/*
	 * The open packet cannot be ended while this event interrupts its beginning: its header
	 * would be written after its end. Or an event that came in between has begun @next.
	 */
	if ((used && READ_ONCE(buffer->begun) != next - 1) || !may_begin(buffer, next, &committed))
		return local_read(&buffer->position) != (long)at ? -EAGAIN : -ENOSPC;
	room->form = form;
	room->at = next * RING_PACKET + sizeof(struct marker_ctf_packet_header);
	len += marker_ctf_header_bytes(form);
	if (local_cmpxchg(&buffer->position, at, room->at + len) != (long)at)
		return -EAGAIN;
	WRITE_ONCE(buffer->until, room->time + EVENT_TIME_SPAN);
	if (used)
		end_packet(buffer, next - 1, used, room->time);
	begin_packet(buffer, next, room->time, committed);
	set_limit(buffer, limit, next);
	return 0;
}

int marker_ctf_ring_reserve(struct marker_ctf_buffer *buffer, enum marker_ctf_form form,
			    unsigned int len, struct marker_ctf_room *room)
{
	const struct marker_ctf_ring *ring = buffer->ring;
	int ret;

	do {
		room->at = local_read(&buffer->position);
		room->time = read_time(buffer);
		/* C: an event that came in between may have gone to the other buffer. */
		if (this_cpu_ptr(READ_ONCE(ring->buffers)) != buffer)
			return -EAGAIN;
		if (!buffer->data || READ_ONCE(ring->stopped))
			return lose(buffer);
		ret = reserve_in_packet(buffer, form, len, room);
		if (ret == -E2BIG)
			ret = reserve_packet(buffer, form, len, room);
	} while (ret == -EAGAIN);
	return ret ? lose(buffer) : 0;
}

void marker_ctf_ring_flush(struct marker_ctf_buffer *buffer)
{
	buffer->flush = local_read(&buffer->position);
}

/*
 * Write the end of the events into the header of the open packet, unless a writer ends the packet:
 * none has begun to do so when the position is read.
 */
static void seal_open(struct marker_ctf_buffer *buffer, unsigned long number)
{
	struct marker_ctf_packet_header *header = header_of(buffer, number);
	u64 bits = READ_ONCE(header->content_bits), end = READ_ONCE(header->end);
	unsigned long position, bytes;

	/* The header is not newer than the position. */
	smp_rmb();
	position = local_read(&buffer->position);
	bytes = (read_committed(buffer, number) - bytes_before(buffer, number)) & RING_BYTES;
	if (number * RING_PACKET + bytes != position)
		return;
	cmpxchg(&header->end, end, peek_time(buffer));
	cmpxchg(&header->content_bits, bits, bytes * 8);
}

void marker_ctf_ring_seal(struct marker_ctf_buffer *buffer, bool ended)
{
	unsigned long last = local_read(&buffer->position) / RING_PACKET, number;

	/* D: of a CPU that comes up */
	if (!smp_load_acquire(&buffer->data))
		return;
	number = last - min(last, packets(buffer) - 1);
	for (; ended && number < last; number++)
		if (((read_committed(buffer, number) - bytes_before(buffer, number)) &
		     RING_BYTES) != RING_PACKET)
			header_of(buffer, number)->content_bits = 0;
	/* The slot of a packet that is not begun has the header of an older packet. */
	if (ended && READ_ONCE(buffer->begun) != last)
		header_of(buffer, last)->content_bits = 0;
	else
		seal_open(buffer, last);
}

void marker_ctf_ring_stop(struct marker_ctf_buffer *buffer)
{
	marker_ctf_ring_flush(buffer);
	buffer->stopped = read_time(buffer);
}

void marker_ctf_buffer_update(struct marker_ctf_buffer *buffer)
{
	const struct marker_ctf_ring *ring = buffer->ring;

	WRITE_ONCE(buffer->limit, buffer->data && !READ_ONCE(ring->stopped) &&
		   per_cpu_ptr(ring->buffers, buffer->cpu) == buffer ? RING_NO_PACKET : 0);
}

void marker_ctf_ring_swap(struct marker_ctf_ring *ring, struct marker_ctf_buffer __percpu *to)
{
	struct marker_ctf_buffer __percpu *from = ring->buffers;
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(from, cpu)->limit, 0);
	/* C: a writer that finds the other buffer must not use the limit of this buffer. */
	smp_wmb();
	WRITE_ONCE(ring->buffers, to);
	for_each_possible_cpu(cpu)
		marker_ctf_buffer_update(per_cpu_ptr(to, cpu));
}

void marker_ctf_buffer_clear(struct marker_ctf_buffer *buffer, const struct marker_ctf_ring *ring,
			     struct marker_ctf_counts *counts,
			     const struct marker_ctf_buffer *other, u32 cpu, u64 now)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->ring = ring;
	buffer->counts = counts;
	buffer->other = other;
	buffer->cpu = cpu;
	buffer->stopped = now;
	buffer->begun = RING_NONE_BEGUN;
}

int marker_ctf_buffer_init(struct marker_ctf_buffer *buffer, void *data, unsigned long size)
{
	const unsigned long n = size / RING_PACKET;

	buffer->committed = kvcalloc(n, sizeof(*buffer->committed), GFP_KERNEL);
	buffer->counted = kvcalloc(n, sizeof(*buffer->counted), GFP_KERNEL);
	if (!buffer->committed || !buffer->counted) {
		marker_ctf_buffer_exit(buffer);
		return -ENOMEM;
	}
	buffer->mask = size - 1;
	/* D: marker_ctf_ring_seal() on another CPU */
	smp_store_release(&buffer->data, data);
	marker_ctf_buffer_update(buffer);
	return 0;
}

void marker_ctf_buffer_exit(struct marker_ctf_buffer *buffer)
{
	kvfree(buffer->committed);
	kvfree(buffer->counted);
	buffer->committed = NULL;
	buffer->counted = NULL;
	buffer->data = NULL;
	marker_ctf_buffer_update(buffer);
}
