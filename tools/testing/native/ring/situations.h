/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single situations in the ring, for stress.c: an event comes between two steps of another one, or
 * at a limit of a header.
 */
#ifndef RING_SITUATIONS_H
#define RING_SITUATIONS_H

static void store_one(void)
{
	store(SHORTEST);
}

/* An event is not lost if another one has begun the packet that it was to begin. */
static void check_in_between(void)
{
	struct marker_ctf_room room;
	unsigned int n;

	begin_buffer(0);
	ring.buffers = buffers;
	for (n = 0; n < 2 * RING_PACKET / SHORTEST; n++) {
		/* The slow path alone, because the quick path would read this clock first. */
		in_between = store_one;
		check(!marker_ctf_ring_reserve(buffers, form_of(SHORTEST), SHORTEST, &room),
		      "lost, with room for it");
		fill_and_commit(buffers, SHORTEST, &room);
	}
	check(local_read(&buffers->position) > (long)(3 * RING_PACKET), "no packet is begun");
	forget();
}

static void store_many(void)
{
	unsigned int n;

	for (n = 0; n < 3 * RING_PACKET / SHORTEST; n++)
		store(SHORTEST);
}

/* Events that would end a packet while its header is written are lost, and no others. */
static void check_interrupted_header(void)
{
	unsigned long lost;

	begin_buffer(0);
	ring.buffers = buffers;
	in_header = store_many;
	store_many();
	check(!in_header, "no packet is begun");
	marker_ctf_ring_flush(buffers);
	read_all(buffers, false);
	lost = local_read(&counts.lost);
	check(lost && lost < 3 * RING_PACKET / SHORTEST, "the packet is ended before its header");
	store_many();
	marker_ctf_ring_flush(buffers);
	read_all(buffers, false);
	check(lost == (unsigned long)local_read(&counts.lost), "events behind the packet are lost");
	check(produced == counts.recorded + lost, "packets behind the header are not read");
	forget();
}

static u64 sealed_bits;

static void seal(void)
{
	store(SHORTEST);
	marker_ctf_ring_seal(buffers, true);
	sealed_bits = header_of(buffers, 0)->content_bits;
}

/*
 * A panic while the header of a packet is written gives the packet up: its slot has the header of
 * an older packet, whose events are overwritten.
 */
static void check_sealed_header(void)
{
	begin_buffer(0);
	ring.buffers = buffers;
	header_of(buffers, 0)->content_bits = RING_PACKET * 8;
	in_header = seal;
	store(SHORTEST);
	check(!in_header && !sealed_bits, "the header of an older packet is left in a panic");
	forget();
}

/* Nothing of an open packet is read while an event before its end is not committed. */
static void check_uncommitted(void)
{
	static struct marker_ctf_packet packet;
	struct marker_ctf_buffer *buffer;
	struct marker_ctf_room room;

	begin_buffer(0);
	ring.buffers = buffers;
	store(SHORTEST);
	check(reserve(SHORTEST, &buffer, &room), "lost in an empty buffer");
	store(SHORTEST);
	marker_ctf_ring_flush(buffer);
	check(marker_ctf_part_read(buffer, &packet, false) == -EAGAIN, "read before its commit");
	fill_and_commit(buffer, SHORTEST, &room);
	check(marker_ctf_part_read(buffer, &packet, false) > 0, "not read after its commit");
	check_packet(buffer, &packet);
	check(seen.events == 3, "not all is read after the commit");
	forget();
}

/* Store and read an event @ticks after the previous one: it takes @bytes of the packet. */
static void check_after(u64 ticks, unsigned int length, unsigned int bytes)
{
	set_clock += ticks;
	seen.bytes = 0;
	store(length);
	marker_ctf_ring_flush(buffers);
	read_all(buffers, false);
	check(seen.time == set_clock, "not the time when it was stored");
	check(seen.bytes == bytes, "a header of another form");
}

/* A header is extended only where the time or the id needs it. */
static void check_headers(void)
{
	const unsigned int compact = 4 + SHORTEST, extended = 13 + SHORTEST;
	unsigned long packet;

	begin_buffer(0);
	ring.buffers = buffers;
	set_clock = 5 * EVENT_TIME_SPAN - 3;
	check_after(0, SHORTEST, compact);
	check_after(EVENT_TIME_SPAN - 1, SHORTEST, compact);
	check_after(1, SHORTEST, extended);
	check_after(EVENT_TIME_SPAN, SHORTEST, extended);
	check_after(EVENT_TIME_SPAN - 1, SHORTEST, compact);
	check_after(BIT(40), SHORTEST, extended);
	check_after(7, SHORTEST, compact);
	check_after(0, IDS + 29, 4 + IDS + 29);
	check_after(0, IDS + 30, 6 + IDS + 30);
	check_after(0, IDS + 31, 6 + IDS + 31);
	check_after(0, IDS + 32, 13 + IDS + 32);
	check_after(EVENT_TIME_SPAN - 1, IDS + 31, 6 + IDS + 31);
	check_after(1, IDS + 31, 13 + IDS + 31);
	/* The event that begins a packet has the packet's time, however long nothing was stored. */
	packet = local_read(&buffers->position) / RING_PACKET;
	while (RING_PACKET - local_read(&buffers->position) % RING_PACKET > 4 + 4 * IDS)
		check_after(0, SHORTEST, compact);
	check_after(BIT(40), 4 * IDS, 4 + 4 * IDS);
	check((unsigned long)local_read(&buffers->position) / RING_PACKET == packet + 1,
	      "in another packet");
	check_after(EVENT_TIME_SPAN - 1, SHORTEST, compact);
	set_clock = 0;
	forget();
}

#endif
