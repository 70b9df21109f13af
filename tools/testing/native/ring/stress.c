// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring of the probe ctf under a writer at full rate, a signal handler that
 * writes in the middle of it, and a reader; on a real CPU.
 *
 *	stress discard|overwrite tsc|step live|flush|snapshot|swap MS
 *
 * step: a clock that goes back now and then, and jumps ahead by more than the time that a compact
 * header can tell.  live: reads what is whole; flush: of
 * the open packet, too, now and then; snapshot: only what was there a moment ago; swap:
 * the same, out of two buffers, of which events go to the one that is not read.
 * Before that, situations that are rare are made one by one, each in a new buffer.
 * Status 1, and a line that says what, if an event is torn or read with another time or id,
 * something is out of order, or produced is not recorded, lost and overwritten.
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#include "env.h"

static void (*in_between)(void);	/* once */
static u64 set_clock;			/* time of the clock, if it does not go by itself */

static u64 stepping_clock(void)
{
	void (*event)(void) = in_between;
	u64 now = ktime_get_ns();
	static u64 jumps;

	in_between = NULL;
	if (event)
		event();
	if (set_clock)
		return set_clock;
	if (now % 1000 < 2)
		jumps += (1ul << 27) + now % 3 - 1;
	return jumps + (now % 1000 < 20 ? now - 400 : now);
}

static void (*in_header)(void);		/* once, while the header of a packet is written */

static u32 interrupted_magic(void)
{
	void (*event)(void) = in_header;

	in_header = NULL;
	if (event)
		event();
	return 0xc1fc1fc1u;
}

#undef ktime_get_mono_fast_ns
#define ktime_get_mono_fast_ns stepping_clock
#include "ctf/ring.h"
#undef RING_MAGIC
#define RING_MAGIC interrupted_magic()
#include "ctf/ring.c"
#include "ctf/part.c"

#define SIZE		BIT(15)
#define SHORTEST	sizeof(struct marker_event)
#define IDS		33

/* An event behind its header. */
struct marker_event {
	u64 time;		/* the same as of the header */
	u64 length;		/* with what follows, bytes as the lowest of @time */
} __packed;

static struct marker_ctf_ring ring;
static struct marker_ctf_buffer buffers[2];
static struct marker_ctf_counts counts;
static u8 memory[2][SIZE] __aligned(4096);
static pthread_t writer;
static bool stop;
static unsigned long produced, turns;

static u32 id_of(unsigned int length)
{
	return length % IDS < 32 ? length % IDS : 70000;
}

static enum marker_ctf_form form_of(unsigned int length)
{
	return marker_ctf_form_of(id_of(length));
}

/* False: the event is lost. */
static bool reserve(unsigned int length, struct marker_ctf_buffer **buffer,
		    struct marker_ctf_room *room)
{
	enum marker_ctf_form form = form_of(length);
	int ret;

	__atomic_fetch_add(&produced, 1, __ATOMIC_RELAXED);
	room->time = ktime_get_mono_fast_ns();
	*buffer = READ_ONCE(ring.buffers);
	if (form != FORM_EXTENDED &&
	    marker_ctf_ring_try_reserve(*buffer, form, length, ring.use_counter, room))
		return true;
	do {
		*buffer = READ_ONCE(ring.buffers);
		ret = marker_ctf_ring_reserve(*buffer, form, length, room);
	} while (ret == -EAGAIN);
	return !ret;
}

static void fill_and_commit(struct marker_ctf_buffer *buffer, unsigned int length,
			    const struct marker_ctf_room *room)
{
	unsigned long offset = marker_ctf_ring_offset(buffer, room->at);
	u8 *to = buffer->data + offset;
	struct marker_event *event = (void *)marker_ctf_header_put(to, room->form, id_of(length),
								   room->time);

	event->time = room->time;
	event->length = length;
	memset(event + 1, (u8)room->time, length - sizeof(*event));
	marker_ctf_ring_commit(buffer, offset, ((u8 *)event + length - to) | RING_ONE_EVENT);
}

static void store(unsigned int length)
{
	struct marker_ctf_buffer *buffer;
	struct marker_ctf_room room;

	if (reserve(length, &buffer, &room))
		fill_and_commit(buffer, length, &room);
}

static void on_signal(int number)
{
	if (!pthread_equal(pthread_self(), writer))
		return;
	store(SHORTEST);
	store(200);
}

static void *write_all(void *unused)
{
	unsigned int random = 1;

	while (!READ_ONCE(stop)) {
		random = random * 1103515245 + 12345;
		store(SHORTEST + (random >> 16) % 90);
		WRITE_ONCE(turns, turns + 1);
		/* Let the reader keep up from time to time. */
		if ((random >> 10) % 5000 == 0)
			usleep(1);
	}
	return NULL;
}

/* Packets and events that have been read. */
static struct {
	unsigned long packets, events, parts, number;
	u64 time, end, lost, bytes;
} seen;

static void check(bool good, const char *what)
{
	if (!good)
		errx(1, "packet %lu, event %lu: %s", seen.number, seen.events, what);
}

/* Returns the end of the event at @at. */
static u8 *check_event(u8 *at, const u8 *end)
{
	const struct marker_event *event;
	u64 time = seen.time;
	u32 id;

	at = marker_ctf_header_get(at, &id, &time);
	event = (const struct marker_event *)at;
	check(event->length >= SHORTEST && event->length <= 200 && at + event->length <= end,
	      "length");
	check(id == id_of(event->length), "another id");
	check(time == event->time, "another time");
	check(time >= seen.time, "time goes down");
	for (at += sizeof(*event); at < (const u8 *)event + event->length; at++)
		check(*at == (u8)time, "torn");
	seen.time = time;
	seen.events++;
	return at;
}

static void check_packet(struct marker_ctf_buffer *buffer, struct marker_ctf_packet *read)
{
	struct marker_ctf_packet_header *packet = &read->header;
	u8 *at = read->events, *end = at + packet->content_bits / 8 - sizeof(*packet);
	u32 id;

	check(!seen.packets || packet->number > seen.number, "out of order");
	check(ring.overwrite || packet->number == seen.packets, "packets are missing");
	check(packet->lost >= seen.lost, "lost goes down");
	if (at < end) {
		marker_ctf_header_get(at, &id, &packet->begin);
		check(packet->begin >= seen.end, "begins too early");
		seen.time = packet->begin;
	}
	seen.bytes += end - at;
	while (at < end)
		at = check_event(at, end);
	check(!packet->end || packet->end >= seen.time, "ends too early");
	buffer->taken_time = seen.time;
	seen.end = packet->end ?: seen.time;
	seen.lost = packet->lost;
	seen.number = packet->number;
	seen.parts += !packet->end;
	seen.packets++;
}

static void read_all(struct marker_ctf_buffer *buffer, bool snapshot)
{
	static struct marker_ctf_packet packet;

	while (marker_ctf_part_read(buffer, &packet, snapshot) > 0)
		check_packet(buffer, &packet);
}

/* Read the snapshot; events go to the other buffer, which has been read. */
static void read_swapped(void)
{
	struct marker_ctf_buffer *buffer = ring.buffers;
	unsigned long turn;

	marker_ctf_ring_swap(&ring, buffer == buffers ? buffers + 1 : buffers);
	/* The writer has left the buffer when it has ended two of its turns. */
	for (turn = READ_ONCE(turns); READ_ONCE(turns) - turn < 2;)
		usleep(1);
	marker_ctf_ring_flush(buffer);
	read_all(buffer, true);
}

static void begin_buffer(unsigned int which)
{
	marker_ctf_buffer_clear(&buffers[which], &ring, &counts, &buffers[!which], 0, 0);
	if (marker_ctf_buffer_init(&buffers[which], memory[which], SIZE))
		errx(1, "no memory");
	ring.buffers = buffers;
}

static void forget(void)
{
	memset(&seen, 0, sizeof(seen));
	memset(&counts, 0, sizeof(counts));
	produced = 0;
}

static void store_one(void)
{
	store(SHORTEST);
}

/* An event is not lost if another one has begun the packet that it was to begin. */
static void check_in_between(void)
{
	struct marker_ctf_room room;
	unsigned int n;

	for (n = 0; n < 2 * RING_PACKET / SHORTEST; n++) {
		/* The slow path alone, because the quick path would read this clock first. */
		in_between = store_one;
		check(!marker_ctf_ring_reserve(buffers, form_of(SHORTEST), SHORTEST, &room),
		      "lost, with room for it");
		fill_and_commit(buffers, SHORTEST, &room);
	}
	check(local_read(&buffers->position) > (long)(3 * RING_PACKET), "no packet is begun");
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
}

static void seal(void)
{
	store(SHORTEST);
	marker_ctf_ring_seal(buffers, true);
	check(!header_of(buffers, 0)->content_bits, "an older packet's header is left in a panic");
}

/* In a panic a packet whose header is not written yet is given up: its slot has an older header. */
static void check_sealed_header(void)
{
	header_of(buffers, 0)->content_bits = RING_PACKET * 8;
	in_header = seal;
	store(SHORTEST);
	check(!in_header, "no packet is begun");
}

/* Nothing of an open packet is read while an event before its end is not committed. */
static void check_uncommitted(void)
{
	static struct marker_ctf_packet packet;
	struct marker_ctf_buffer *buffer;
	struct marker_ctf_room room;

	store(SHORTEST);
	check(reserve(SHORTEST, &buffer, &room), "lost in an empty buffer");
	store(SHORTEST);
	marker_ctf_ring_flush(buffer);
	check(marker_ctf_part_read(buffer, &packet, false) == -EAGAIN, "read before its commit");
	fill_and_commit(buffer, SHORTEST, &room);
	check(marker_ctf_part_read(buffer, &packet, false) > 0, "not read after its commit");
	check_packet(buffer, &packet);
	check(seen.events == 3, "not all is read after the commit");
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
}

static void in_a_new_buffer(void (*test)(void))
{
	begin_buffer(0);
	test();
	set_clock = 0;
	forget();
}

static void begin(void)
{
	const struct itimerval timer = { { 0, 70 }, { 0, 70 } };
	sigset_t signals;

	begin_buffer(0);
	begin_buffer(1);
	if (pthread_create(&writer, NULL, write_all, NULL))
		errx(1, "no memory");
	signal(SIGALRM, on_signal);
	sigemptyset(&signals);
	sigaddset(&signals, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void end(void)
{
	WRITE_ONCE(stop, true);
	pthread_join(writer, NULL);
	ring.stopped = true;
	marker_ctf_ring_stop(ring.buffers);
	read_all(ring.buffers, false);
}

int main(int argc, char **argv)
{
	unsigned long lost, overwritten, turn;
	bool snapshot, flush, swap;
	u64 until;

	if (argc != 5)
		errx(2, "usage: stress discard|overwrite tsc|step live|flush|snapshot|swap MS");
	ring.overwrite = !strcmp(argv[1], "overwrite");
	in_a_new_buffer(check_in_between);
	in_a_new_buffer(check_interrupted_header);
	in_a_new_buffer(check_sealed_header);
	in_a_new_buffer(check_uncommitted);
	in_a_new_buffer(check_headers);
	ring.use_counter = !strcmp(argv[2], "tsc");
	flush = !strcmp(argv[3], "flush");
	snapshot = !strcmp(argv[3], "snapshot");
	swap = !strcmp(argv[3], "swap");
	until = ktime_get_ns() + strtoul(argv[4], NULL, 10) * 1000000;
	begin();
	for (turn = 0; ktime_get_ns() < until; turn++) {
		if (snapshot || (flush && turn % 50 == 0))
			marker_ctf_ring_flush(buffers);
		if (swap)
			read_swapped();
		else
			read_all(buffers, snapshot);
		if (turn % 100 == 0)
			usleep(300);
	}
	end();
	lost = local_read(&counts.lost);
	overwritten = local_read(&counts.overwritten);
	printf("%lu events: %lu recorded, %lu lost, %lu overwritten; %lu packets, %lu open\n",
	       produced, (unsigned long)counts.recorded, lost, overwritten, seen.packets,
	       seen.parts);
	check(produced == counts.recorded + lost + overwritten, "events are not accounted for");
	check(seen.events == counts.recorded && seen.lost == lost, "counts are wrong");
	check(seen.events, "nothing is recorded");
	check(!overwritten || seen.number >= seen.packets, "no numbers are missing");
	return 0;
}
