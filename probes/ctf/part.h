/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a buffer packet by packet, and an open packet in parts, while events are stored (ring.h).
 *
 * Locks: the caller allows one reader of a buffer at a time.
 */
#ifndef PROBES_CTF_PART_H
#define PROBES_CTF_PART_H

#include "ring.h"

/* Progress of the reader in a buffer. */
struct marker_ctf_progress {
	long oldest;
	unsigned long taken, next;
	u64 taken_time, recorded, lost_reported, number;
};

/*
 * Save the position of the reader, and restore it, which undoes later reads. There are no writers.
 */
void marker_ctf_part_save(const struct marker_ctf_buffer *buffer,
			  struct marker_ctf_progress *progress);
void marker_ctf_part_restore(struct marker_ctf_buffer *buffer,
			     const struct marker_ctf_progress *progress);

/*
 * Copy the oldest packet to @packet and remove it from the ring; of the open packet, copy the
 * present events. @snapshot: only events up to the last marker_ctf_ring_flush(). Writers do not
 * wait, and packets come in order; a packet that is overwritten meanwhile is left out with its
 * number.
 *
 * 1; 0: there is no packet; -EAGAIN: a writer is still writing in it. The ->end of an open packet
 * is 0. The ->begin of the rest of a packet is buffer->taken_time, which the caller keeps: the time
 * of the last event in the part before.
 */
int marker_ctf_part_read(struct marker_ctf_buffer *buffer, struct marker_ctf_packet *packet,
			 bool snapshot);

#endif
