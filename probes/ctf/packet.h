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

/*
 * The header of an event has one of three forms. Readers know the form by the lowest 5 bits of the
 * first byte.
 *
 *	compact		u32: the id, below 30, in the lowest 5 bits; the lowest 27 bits of the time
 *	wide		u32: 30 instead of the id, and the same bits of the time; u16 id
 *	extended	u8 31, u32 id, u64 time
 *
 * A reader adds the upper bits of a time of 27 bits: they are those of the previous event in the
 * packet (or of the packet's begin, if there is none), or one more if the time would be before it.
 */
#define EVENT_FORM_BITS		5
#define EVENT_WIDE		30u
#define EVENT_EXTENDED		31u
#define EVENT_TIME_SPAN		BIT(32 - EVENT_FORM_BITS)

enum marker_ctf_form { FORM_COMPACT, FORM_WIDE, FORM_EXTENDED };

/* Return the shortest form for an id. */
static inline enum marker_ctf_form marker_ctf_form_of(u32 id)
{
	return id < EVENT_WIDE ? FORM_COMPACT : id == (u16)id ? FORM_WIDE : FORM_EXTENDED;
}

static __always_inline unsigned int marker_ctf_header_bytes(enum marker_ctf_form form)
{
	return form == FORM_COMPACT ? 4 : form == FORM_WIDE ? 6 : 13;
}

/* Store a number at any address: one instruction where the machine has it. */
#define MARKER_CTF_STORE(type, to, value)				\
do {									\
	type __value = (type)(value);					\
									\
	__builtin_memcpy(to, &__value, sizeof(__value));		\
} while (0)

/* Store the header of an event, and return the place behind it. */
static __always_inline u8 *marker_ctf_header_put(u8 *to, enum marker_ctf_form form, u32 id,
						 u64 time)
{
	if (form == FORM_EXTENDED) {
		*to = EVENT_EXTENDED;
		MARKER_CTF_STORE(u32, to + 1, id);
		MARKER_CTF_STORE(u64, to + 5, time);
	} else if (form == FORM_WIDE) {
		MARKER_CTF_STORE(u32, to, EVENT_WIDE | time << EVENT_FORM_BITS);
		MARKER_CTF_STORE(u16, to + 4, id);
	} else {
		MARKER_CTF_STORE(u32, to, id | time << EVENT_FORM_BITS);
	}
	return to + marker_ctf_header_bytes(form);
}

/* Return the ticks from @time to the time of a header that begins with @word. */
static __always_inline u64 marker_ctf_time_passed(u32 word, u64 time)
{
	return ((word >> EVENT_FORM_BITS) - time) & (EVENT_TIME_SPAN - 1);
}

/*
 * Read the header of an event, and return the place behind it. @time: of the previous event or of
 * the packet's begin; becomes that of the event.
 */
static inline u8 *marker_ctf_header_get(u8 *from, u32 *id, u64 *time)
{
	u32 word;
	u16 wide;

	memcpy(&word, from, sizeof(word));
	*id = word & EVENT_EXTENDED;
	if (*id == EVENT_EXTENDED) {
		memcpy(id, from + 1, sizeof(*id));
		memcpy(time, from + 5, sizeof(*time));
		return from + marker_ctf_header_bytes(FORM_EXTENDED);
	}
	*time += marker_ctf_time_passed(word, *time);
	if (*id < EVENT_WIDE)
		return from + marker_ctf_header_bytes(FORM_COMPACT);
	memcpy(&wide, from + 4, sizeof(wide));
	*id = wide;
	return from + marker_ctf_header_bytes(FORM_WIDE);
}

#endif
