// SPDX-License-Identifier: GPL-2.0-only
/* Reading a buffer: find a packet or a part of it, copy it, take it. */
#include "part.h"
#include "slot.h"

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
 * Find the unread part of the oldest packet; returns as marker_ctf_part_read() does.  If a
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
	part->to = part->whole ? READ_ONCE(header_of(buffer, part->number)->content_bits) / 8 :
				   bytes;
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

int marker_ctf_part_read(struct marker_ctf_buffer *buffer, struct marker_ctf_packet *packet,
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

void marker_ctf_part_save(const struct marker_ctf_buffer *buffer,
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

void marker_ctf_part_restore(struct marker_ctf_buffer *buffer,
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
