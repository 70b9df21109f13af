// SPDX-License-Identifier: GPL-2.0-only
/* The slow paths of the ring: from packet to packet, and reading. */
#include "ring.h"

static unsigned long packets(const struct marker_ctf_buffer *buffer)
{
	return (buffer->mask + 1) / RING_PACKET;
}

/* Value of the commit counter of a packet's slot before anything in the packet is committed. */
static unsigned long bytes_before(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return number / packets(buffer) * RING_PACKET & RING_BYTES;
}

/* Read the clock.  Called after the position was read, so that times rise with it. */
static u64 read_time(struct marker_ctf_buffer *buffer)
{
	long now, latest;

	if (buffer->ring->use_counter)
		return marker_counter_read();
	/* This clock can step back when its frequency is adjusted. */
	do {
		latest = local_read(&buffer->counts->time);
		now = max_t(long, ktime_get_mono_fast_ns(), latest);
	} while (local_cmpxchg(&buffer->counts->time, latest, now) != latest);
	return now;
}

static unsigned long slot_of(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return number & (packets(buffer) - 1);
}

static unsigned long read_committed(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return local_read(&buffer->committed[slot_of(buffer, number)]);
}

/* Events of the packet, of whose slot so much is committed. */
static u16 events_of(const struct marker_ctf_buffer *buffer, unsigned long number,
		     unsigned long committed)
{
	return (u16)(committed / RING_ONE_EVENT) - buffer->counted[slot_of(buffer, number)];
}

static struct marker_ctf_packet_header *header_of(const struct marker_ctf_buffer *buffer,
						  unsigned long number)
{
	return (void *)(buffer->data + slot_of(buffer, number) * RING_PACKET);
}

static unsigned long number_of(long oldest)
{
	return (unsigned long)oldest >> RING_TAKEN_BITS;
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
		/* B: memory that marker_ctf_ring_read() has copied may be written. */
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

	room->form = room->time - buffer->base < EVENT_TIME_SPAN ? form : FORM_EXTENDED;
	len += marker_ctf_header_bytes(room->form);
	if (!used || used + len >= RING_PACKET)
		return -E2BIG;
	if (local_cmpxchg(&buffer->position, room->at, room->at + len) != (long)room->at)
		return -EAGAIN;
	if (room->form == FORM_EXTENDED)
		WRITE_ONCE(buffer->base, room->time);
	set_limit(buffer, limit, room->at / RING_PACKET);
	return 0;
}

/* Reserve room behind the header of a new packet: 0; -EAGAIN; -ENOSPC: there is no free packet. */
static int reserve_packet(struct marker_ctf_buffer *buffer, enum marker_ctf_form form,
			  unsigned int len, struct marker_ctf_room *room)
{
	const unsigned long at = room->at, next = DIV_ROUND_UP(at, RING_PACKET);
	unsigned long used = at & (RING_PACKET - 1), limit = READ_ONCE(buffer->limit), committed;

	/* An event that came in between may have begun the packet. */
	if (!may_begin(buffer, next, &committed))
		return local_read(&buffer->position) != (long)at ? -EAGAIN : -ENOSPC;
	room->form = form;
	room->at = next * RING_PACKET + sizeof(struct marker_ctf_packet_header);
	len += marker_ctf_header_bytes(form);
	if (local_cmpxchg(&buffer->position, at, room->at + len) != (long)at)
		return -EAGAIN;
	WRITE_ONCE(buffer->base, room->time);
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
 * Return the end of the events in the open packet, unless its writers end the packet meanwhile;
 * they have not begun to do so when the position is read.
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
	cmpxchg(&header->end, end, read_time(buffer));
	cmpxchg(&header->content_bits, bits, bytes * 8);
}

void marker_ctf_ring_seal(struct marker_ctf_buffer *buffer, bool ended)
{
	unsigned long last = local_read(&buffer->position) / RING_PACKET, number;

	if (!buffer->data)
		return;
	number = last - min(last, packets(buffer) - 1);
	for (; ended && number < last; number++)
		if (((read_committed(buffer, number) - bytes_before(buffer, number)) &
		     RING_BYTES) != RING_PACKET)
			header_of(buffer, number)->content_bits = 0;
	seal_open(buffer, last);
}

void marker_ctf_ring_stop(struct marker_ctf_buffer *buffer)
{
	marker_ctf_ring_flush(buffer);
	buffer->stopped = read_time(buffer);
}

/* When all is read and none is stored any more: an empty packet that reports. */
static int report_lost(struct marker_ctf_buffer *buffer, struct marker_ctf_packet_header *page)
{
	struct marker_ctf_counts *counts = buffer->counts;
	u64 lost = local_read(&counts->lost);

	if (!READ_ONCE(buffer->ring->stopped) || lost == counts->lost_reported)
		return 0;
	counts->lost_reported = lost;
	*page = (struct marker_ctf_packet_header){
		.magic = RING_MAGIC,
		.begin = buffer->stopped,
		.end = buffer->stopped,
		.content_bits = sizeof(*page) * 8,
		.packet_bits = RING_PACKET * 8,
		.number = counts->number++,
		.lost = lost,
		.cpu = buffer->cpu,
	};
	return 1;
}

/* A packet in the ring, or its unread part. */
struct part {
	long oldest;
	unsigned long number;
	unsigned long from, to;		/* place of the events in the packet, in bytes */
	unsigned int events;
	bool whole;			/* up to the end of the packet */
};

/*
 * Find the unread part of the oldest packet; returns as marker_ctf_ring_read() does.  If a
 * writer overwrites the packet meanwhile, @part is invalid, and take_part() fails.
 */
static int find_part(const struct marker_ctf_buffer *buffer, struct part *part, bool snapshot)
{
	unsigned long position = local_read(&buffer->position), begin, end, committed, bytes;
	unsigned int taken;

	end = position & ~(RING_PACKET - 1);
	end = snapshot ? buffer->flush : max(end, buffer->flush);
	part->oldest = atomic_long_read(&buffer->oldest);
	part->number = number_of(part->oldest);
	taken = part->oldest & RING_TAKEN;
	begin = part->number * RING_PACKET;
	part->from = taken ? buffer->taken : sizeof(struct marker_ctf_packet_header);
	if (begin + (taken ? part->from : 0) >= end)
		return 0;

	committed = read_committed(buffer, part->number);
	/* A: in marker_ctf_ring_commit().  And the position is not older than the commit. */
	smp_rmb();
	position = local_read(&buffer->position);
	bytes = (committed - bytes_before(buffer, part->number)) & RING_BYTES;
	part->whole = bytes == RING_PACKET;
	if (!part->whole && begin + bytes != position)
		return -EAGAIN;
	part->to = part->whole ? header_of(buffer, part->number)->content_bits / 8 : bytes;
	part->events = (u16)(events_of(buffer, part->number, committed) - taken);
	return part->from <= part->to && part->to <= RING_PACKET ? 1 : -EAGAIN;
}

/* True if the reader has taken the packet. */
static bool take_part(struct marker_ctf_buffer *buffer, const struct part *part)
{
	long next = part->whole ? (long)((part->number + 1) << RING_TAKEN_BITS) :
				  part->oldest + part->events;

	/* B: after all reading; free_slot() */
	if (atomic_long_cmpxchg(&buffer->oldest, part->oldest, next) != part->oldest)
		return false;
	buffer->counts->recorded += part->events;
	buffer->taken = part->to;
	return true;
}

/* Make a packet of the part; false: the packet would be empty, and report nothing. */
static bool finish_part(struct marker_ctf_buffer *buffer, const struct part *part,
			struct marker_ctf_packet_header *page)
{
	struct marker_ctf_counts *counts = buffer->counts;
	bool is_rest = part->oldest & RING_TAKEN;

	/* Packets that were overwritten have had a number, too. */
	counts->number += part->number - buffer->next;
	buffer->next = part->number + part->whole;
	if (is_rest && part->from == part->to && page->lost == counts->lost_reported)
		return false;
	page->content_bits = (sizeof(*page) + part->to - part->from) * 8;
	page->number = counts->number++;
	page->cpu = buffer->cpu;
	if (is_rest)
		page->begin = buffer->taken_time;
	if (part->whole) {
		counts->lost_reported = page->lost;
	} else {
		page->lost = counts->lost_reported;
		page->end = 0;
	}
	return true;
}

int marker_ctf_ring_read(struct marker_ctf_buffer *buffer, struct marker_ctf_packet *packet,
			 bool snapshot)
{
	struct part part;
	const u8 *from;
	int ret;

	while (buffer->data) {
		ret = find_part(buffer, &part, snapshot);
		if (!ret)
			break;
		/* Overwritten while we looked: the next one is the oldest now. */
		if (ret < 0 && atomic_long_read(&buffer->oldest) != part.oldest)
			continue;
		if (ret < 0)
			return ret;
		from = (u8 *)header_of(buffer, part.number);
		memcpy(&packet->header, from, sizeof(packet->header));
		memcpy(packet->events, from + part.from, part.to - part.from);
		if (take_part(buffer, &part) && finish_part(buffer, &part, &packet->header))
			return 1;
	}
	return report_lost(buffer, &packet->header);
}

void marker_ctf_ring_save(const struct marker_ctf_buffer *buffer,
			  struct marker_ctf_progress *progress)
{
	const struct marker_ctf_counts *counts = buffer->counts;

	*progress = (struct marker_ctf_progress){
		.oldest = atomic_long_read(&buffer->oldest),
		.taken = buffer->taken,
		.taken_time = buffer->taken_time,
		.next = buffer->next,
		.recorded = counts->recorded,
		.lost_reported = counts->lost_reported,
		.number = counts->number,
	};
}

void marker_ctf_ring_restore(struct marker_ctf_buffer *buffer,
			     const struct marker_ctf_progress *progress)
{
	struct marker_ctf_counts *counts = buffer->counts;

	atomic_long_set(&buffer->oldest, progress->oldest);
	buffer->taken = progress->taken;
	buffer->taken_time = progress->taken_time;
	buffer->next = progress->next;
	counts->recorded = progress->recorded;
	counts->lost_reported = progress->lost_reported;
	counts->number = progress->number;
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
			     struct marker_ctf_counts *counts, u32 cpu, u64 now)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->ring = ring;
	buffer->counts = counts;
	buffer->cpu = cpu;
	buffer->stopped = now;
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
	WRITE_ONCE(buffer->data, data);
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
