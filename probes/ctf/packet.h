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

/* The longest event. */
#define RING_EVENT_MAX		(RING_PACKET - sizeof(struct marker_ctf_packet_header) - 8)

#endif
