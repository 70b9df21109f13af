/* SPDX-License-Identifier: GPL-2.0-only */
/* Packets, as they lie in the rings and in the file of a trace. */
#ifndef PROBES_CTF_PACKET_H
#define PROBES_CTF_PACKET_H

#include "env.h"

/*
 * A packet is one page. A file write that a signal or a full disk cuts short ends at a page, so
 * the file has whole packets.
 */
#define RING_PACKET		4096ul

/* Version of the format, for readers that do not have the metadata of a trace. */
#define RING_FORMAT		2

/* Header of a packet, in the ring and in the file; little endian on x86. */
struct marker_ctf_packet_header {
	u32 magic;
	u32 stream;
	u64 begin;			/* time of its first event, of the clock */
	u64 end;
	u64 content_bits;		/* with this header, without the rest */
	u64 packet_bits;
	u64 number;			/* number of the packet */
	u64 lost;			/* events of this CPU lost so far */
	u64 cpu;
};

/* Packet with its events, as the reader copies it. */
struct marker_ctf_packet {
	struct marker_ctf_packet_header header;
	u8 events[RING_PACKET - sizeof(struct marker_ctf_packet_header)];
};

#define RING_MAGIC		0xc1fc1fc1u

/* The longest event, with its header. */
#define RING_EVENT_MAX		(RING_PACKET - sizeof(struct marker_ctf_packet_header) - 1)

/*
 * The header of an event has one of two forms, which the lowest 5 bits of its first byte tell.
 *
 *	compact		u32: the id in the lowest 5 bits, the lowest 27 bits of the time above
 *	extended	u8 31, u32 id, u64 time
 *
 * A reader adds the upper bits of a compact time: they are those of the previous event in the
 * packet (or of the packet's begin, if there is none), and one more if the time would be before it.
 */
#define EVENT_ID_BITS		5
#define EVENT_EXTENDED		(BIT(EVENT_ID_BITS) - 1)
#define EVENT_TIME_SPAN		BIT(32 - EVENT_ID_BITS)

static __always_inline unsigned int marker_ctf_header_bytes(bool extended)
{
	return extended ? sizeof(u8) + sizeof(u32) + sizeof(u64) : sizeof(u32);
}

/* Store a number at any address: one instruction where the machine has it. */
#define MARKER_CTF_STORE(type, to, value)				\
do {									\
	type __value = (type)(value);					\
									\
	__builtin_memcpy(to, &__value, sizeof(__value));		\
} while (0)

/* Store the header of an event, and return the place behind it. */
static __always_inline u8 *marker_ctf_header_put(u8 *to, u32 id, u64 time, bool extended)
{
	if (extended) {
		*to = EVENT_EXTENDED;
		MARKER_CTF_STORE(u32, to + 1, id);
		MARKER_CTF_STORE(u64, to + 5, time);
	} else {
		MARKER_CTF_STORE(u32, to, id | time << EVENT_ID_BITS);
	}
	return to + marker_ctf_header_bytes(extended);
}

/*
 * Read the header of an event, and return the place behind it. @time: of the previous event or of
 * the packet's begin; becomes that of the event.
 */
static inline u8 *marker_ctf_header_get(u8 *from, u32 *id, u64 *time)
{
	u32 word;

	if ((*from & EVENT_EXTENDED) == EVENT_EXTENDED) {
		__builtin_memcpy(id, from + 1, sizeof(*id));
		__builtin_memcpy(time, from + 5, sizeof(*time));
		return from + marker_ctf_header_bytes(true);
	}
	__builtin_memcpy(&word, from, sizeof(word));
	*id = word & EVENT_EXTENDED;
	*time += ((word >> EVENT_ID_BITS) - *time) & (EVENT_TIME_SPAN - 1);
	return from + marker_ctf_header_bytes(false);
}

#endif
