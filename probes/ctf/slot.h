/* SPDX-License-Identifier: GPL-2.0-only */
/* The slots of a buffer: the place of a packet, and its committed bytes and events. */
#ifndef PROBES_CTF_SLOT_H
#define PROBES_CTF_SLOT_H

#include "ring.h"

/*
 * Position of the reader: the number of the oldest unread packet in the upper bits, and the
 * number of its events that have been read in the lower bits.
 */
#define RING_TAKEN_BITS		16
#define RING_TAKEN		(BIT(RING_TAKEN_BITS) - 1)

static inline unsigned long packets(const struct marker_ctf_buffer *buffer)
{
	return (buffer->mask + 1) / RING_PACKET;
}

/* Value of the commit counter of a packet's slot before anything in the packet is committed. */
static inline unsigned long
bytes_before(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return number / packets(buffer) * RING_PACKET & RING_BYTES;
}

static inline unsigned long slot_of(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return number & (packets(buffer) - 1);
}

static inline unsigned long
read_committed(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return local_read(&buffer->committed[slot_of(buffer, number)]);
}

/* Return the number of events of a packet; @committed: the counter of its slot. */
static inline u16 events_of(const struct marker_ctf_buffer *buffer, unsigned long number,
			    unsigned long committed)
{
	return (u16)(committed / RING_ONE_EVENT) - buffer->counted[slot_of(buffer, number)];
}

static inline struct marker_ctf_packet_header *
header_of(const struct marker_ctf_buffer *buffer, unsigned long number)
{
	return (void *)(buffer->data + slot_of(buffer, number) * RING_PACKET);
}

static inline unsigned long number_of(long oldest)
{
	return (unsigned long)oldest >> RING_TAKEN_BITS;
}

#endif
