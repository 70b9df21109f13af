// SPDX-License-Identifier: GPL-2.0-only
/*
 * The packets that the files of a session give: each byte of them is read, and each event is
 * accounted for, in recordings and in snapshots of which some readers end early.
 */
#include <err.h>
#include "packets.h"

/* Times of the clock around event number N of each marker. */
static struct {
	u64 before, behind;
} fired[EVENTS_MAX];

void fire(unsigned int n)
{
	fired[n].before = recorder_clock;
	recorder_fire(n);
	fired[n].behind = recorder_clock;
}

struct seen seen;

void wrong(const char *what)
{
	if (!seen.wrong)
		seen.wrong = what;
}

void forget(bool raw)
{
	memset(&seen, 0, sizeof(seen));
	seen.raw = raw;
}

const char *marker_of(u32 id)
{
	static char text[200000];
	const char *line;

	if (id >= seen.nclasses) {
		if (read_text("ctf/events", text, sizeof(text)) < 0)
			return "";
		for (line = strchr(text, '\n'), seen.nclasses = 0; line && line[1];
		     line = strchr(line + 1, '\n'), seen.nclasses++)
			sscanf(line + 1, "%u\t%63[^\t]", &seen.classes[seen.nclasses].id,
			       seen.classes[seen.nclasses].marker);
	}
	return id < seen.nclasses && seen.classes[id].id == id ? seen.classes[id].marker : "";
}

static const u8 *get(const u8 *at, void *to, size_t size)
{
	memcpy(to, at, size);
	return at + size;
}

static const u8 *pass_number(const u8 *at, u32 *n, u64 time)
{
	at = get(at, n, sizeof(*n));
	if (*n >= EVENTS_MAX || time < fired[*n].before || time > fired[*n].behind)
		wrong("an event has another time");
	return at;
}

static const u8 *pass_address(const u8 *at)
{
	u64 address;

	at = get(at, &address, sizeof(address));
	if (seen.raw ? address != RECORDER_ADDRESS : address >> 32 || !address)
		wrong("an address is not as the session has it");
	if (!seen.raw && seen.hash && seen.hash != address)
		wrong("equal addresses have different hashes");
	seen.hash = address;
	return at;
}

static const u8 *pass_text(const u8 *at, const char *text, size_t length)
{
	if (memcmp(at, text, length) || at[length])
		wrong("another text");
	return at + length + 1;
}

/* Return the end of the event of @marker whose fields begin at @at. */
const u8 *pass_fields(const u8 *at, const char *marker, u64 time)
{
	s8 byte;
	u64 shown;
	u32 n;

	if (!strcmp(marker, "of_nothing"))
		return at;
	if (!strcmp(marker, "of_pointers")) {
		at = pass_number(pass_address(at), &n, time);
		return pass_text(at, RECORDER_TEXT, recorder_text_length(n));
	}
	at = pass_number(at, &n, time);
	if (!strcmp(marker, "of_numbers")) {
		at = get(at, &byte, sizeof(byte));
		if (byte != (s8)(n + 3))
			wrong("another number");
		return at;
	}
	if (!strcmp(marker, "of_addresses")) {
		at = get(pass_address(at), &shown, sizeof(shown));
		if (shown != RECORDER_SHOWN)
			wrong("the address of %px is another one");
		return at;
	}
	if (!strcmp(marker, "of_texts")) {
		at = pass_text(at, RECORDER_TEXT, recorder_text_length(n));
		return pass_text(pass_address(at), "another", strlen("another"));
	}
	if (strcmp(marker, "of_bytes"))
		wrong("an event of no class");
	if (memcmp(at, "\x11\x22\x33\x44\x55\x66", 6))
		wrong("other bytes");
	return pass_address(at + 6);
}

/*
 * The bytes of an address are nowhere where the session hides it, and nothing is behind the
 * events.
 */
void see_bytes(const u8 *packet, size_t used)
{
	const u64 hidden = RECORDER_ADDRESS;
	size_t at;

	for (at = 0; !seen.raw && at <= RING_PACKET - sizeof(hidden); at++)
		if (!memcmp(packet + at, &hidden, sizeof(hidden)))
			wrong("an address that is not hashed");
	for (at = used; at < RING_PACKET; at++)
		if (packet[at])
			wrong("bytes behind the events");
}

static void see_events(const u8 *packet, const struct marker_ctf_packet_header *header)
{
	const u8 *at = packet + sizeof(*header), *end = packet + header->content_bits / 8;
	u64 time = header->begin, before = 0;
	u32 id;

	for (; at < end; before = time, seen.events++) {
		at = marker_ctf_header_get((u8 *)at, &id, &time);
		if (!before && time != header->begin)
			wrong("a packet begins at another time than its first event");
		if (time < before || time > header->end)
			wrong("times go down, or an event is behind the end");
		at = pass_fields(at, marker_of(id), time);
	}
	if (at != end)
		wrong("half an event");
}

static void see_packet(const u8 *packet)
{
	struct marker_ctf_packet_header header;
	u32 cpu;

	memcpy(&header, packet, sizeof(header));
	cpu = header.cpu;
	if (header.magic != RING_MAGIC || header.stream || header.packet_bits != RING_PACKET * 8 ||
	    header.content_bits % 8 || header.content_bits / 8 < sizeof(header) ||
	    header.content_bits / 8 > RING_PACKET || header.cpu >= RECORDER_CPUS) {
		wrong("the header of a packet");
		return;
	}
	if (header.begin > header.end || header.begin < seen.end[cpu])
		wrong("packets overlap in time");
	if (seen.number[cpu] && header.number < seen.number[cpu])
		wrong("a number of a packet comes twice");
	if (header.lost < seen.lost_of[cpu])
		wrong("lost events become less");
	see_bytes(packet, header.content_bits / 8);
	see_events(packet, &header);
	seen.number[cpu] = header.number + 1;
	seen.end[cpu] = header.end;
	seen.lost += header.lost - seen.lost_of[cpu];
	seen.lost_of[cpu] = header.lost;
	seen.packets++;
}

/* The first packet of the last read() by a reader that ended early: the next reader gets it. */
static u8 given_back[RING_PACKET];
static bool comes_back;
static unsigned int reports_back;	/* how many of these have no event, but say what is lost */

static void see_again(const u8 *packet)
{
	const size_t cpu_at = offsetof(struct marker_ctf_packet_header, cpu);

	if (!comes_back || packet[cpu_at] != given_back[cpu_at])
		return;
	if (memcmp(packet, given_back, RING_PACKET))
		wrong("a packet that did not arrive is another one the next time");
	comes_back = false;
}

/*
 * Read at most @most packets at once, until there are no more; of @reads calls, where that is not
 * 0.
 */
static void read_packets(struct opened *opened, unsigned int most, unsigned int reads)
{
	static u8 packets[16 * RING_PACKET];
	loff_t pos = 0;
	ssize_t got, at;

	do {
		memset(packets, 0xaa, sizeof(packets));
		got = opened->fops->read(&opened->file, (char *)packets, most * RING_PACKET, &pos);
		if (got < 0 || got % RING_PACKET)
			wrong("half a packet");
		for (at = 0; at < got; at += RING_PACKET) {
			see_again(packets + at);
			see_packet(packets + at);
		}
	} while (got > 0 && --reads);
	if (got > 0)
		memcpy(given_back, packets, RING_PACKET);
	else if (comes_back)
		wrong("a packet that did not arrive does not come back");
}

void read_file(const char *path, unsigned int most, unsigned int reads)
{
	struct opened opened;

	must(recorder_open(&opened, path), path);
	/* A trace of its own. */
	memset(seen.end, 0, sizeof(seen.end));
	read_packets(&opened, most, reads);
	recorder_close(&opened);
}

struct counts counts(void)
{
	unsigned long recorded, lost, overwritten;
	struct counts sum = { };
	char text[1024];
	const char *line;

	if (read_text("ctf/cpus", text, sizeof(text)) < 0)
		errx(1, "ctf/cpus");
	for (line = strchr(text, '\n'); line; line = strchr(line + 1, '\n')) {
		if (sscanf(line + 1, "%*u\t%lu\t%lu\t%lu", &recorded, &lost, &overwritten) != 3)
			continue;
		sum.recorded += recorded;
		sum.lost += lost;
		sum.overwritten += overwritten;
	}
	return sum;
}

/* Fire each marker @times times, on the CPUs in turn, but more often on the first. */
unsigned int fire_many(unsigned int first, unsigned int times)
{
	unsigned int n;

	for (n = first; n < first + times; n++) {
		recorder_cpu = n % 3 == 2;
		fire(n);
	}
	return n;
}

void end_session(void)
{
	marker_command_execute("disconnect *");
	set_up("start");
	set_up("close");
}

/*
 * A recorder that reads now and then, in parts of packets, while more comes than the ring can
 * take.
 */
void check_packets(bool raw)
{
	const char *const how = raw ? "raw" : "hashed";
	struct counts now;
	struct opened opened;
	unsigned int n = 0, turn;

	forget(raw);
	set_up(raw ? "size=16K mode=discard addresses=raw" :
		"size=16K mode=discard addresses=hashed");
	command("connect of_* ctf");
	must(recorder_open(&opened, "ctf/packets"), "ctf/packets");
	for (turn = 0; turn < 300; turn++) {
		n = fire_many(n, turn % 50 == 49 ? 400 : turn % 7);
		if (turn % 3 == 1)
			set_up("flush");
		if (turn % 50 < 45)
			read_packets(&opened, 1 + turn % 4, 0);
	}
	command("disconnect *");
	set_up("stop");
	read_packets(&opened, 16, 0);
	now = counts();
	recorder_close(&opened);
	check(!seen.wrong, "packets, %s: all bytes are as they should be: %s", how, seen.wrong ?:
	      "");
	check(now.lost && now.recorded > now.lost, "packets, %s: some events are lost", how);
	check(MARKERS * n == now.recorded + now.lost + now.overwritten,
	      "packets, %s: %u events are recorded, lost and overwritten", how, MARKERS * n);
	check(seen.events == now.recorded && seen.lost == now.lost,
	      "packets, %s: they have the events, and say what is lost", how);
	end_session();
}

/* A reader that ends early, before the packets of its last read() have arrived. */
static void read_early(unsigned int most, unsigned int reads)
{
	static struct seen before;
	struct opened opened;

	must(recorder_open(&opened, "ctf/snapshot"), "ctf/snapshot");
	while (--reads)
		read_packets(&opened, most, 1);
	before = seen;
	read_packets(&opened, most, 1);
	recorder_close(&opened);
	comes_back = true;
	reports_back += ((struct marker_ctf_packet_header *)given_back)->content_bits / 8 ==
			sizeof(struct marker_ctf_packet_header);
	if (seen.packets == before.packets)
		must(-ENODATA, "a packet for a reader");
	before.wrong = seen.wrong;
	seen = before;
}

/* Snapshots of a flight recorder; after some readers that end early. */
void check_snapshots(bool raw)
{
	const char *const how = raw ? "raw" : "hashed";
	unsigned int n = 0, turn;
	struct counts now;

	forget(raw);
	set_up(raw ? "size=16K mode=overwrite addresses=raw" :
		"size=16K mode=overwrite addresses=hashed");
	command("connect of_* ctf");
	for (turn = 0; turn < 40; turn++) {
		n = fire_many(n, turn % 5 == 4 ? 900 : 1 + 20 * (turn % 5));
		if (turn % 4 == 1)
			must(write_file("ctf/control", "snapshot"), "snapshot");
		n = fire_many(n, 30);
		if (turn % 4 == 1)
			read_early(2, 1);
		read_file("ctf/snapshot", 1 + turn % 3, 0);
		now = counts();
		if (seen.events != now.recorded ||
		    MARKERS * n < now.recorded + now.lost + now.overwritten)
			wrong("the events of a snapshot are not those that are recorded");
	}
	n = fire_many(n, 300);
	set_up("stop");
	n = fire_many(n, 3);
	/* Every second reader gets a packet more, the last one a packet that says what is lost. */
	reports_back = 0;
	for (turn = 0; !reports_back; turn++)
		read_early(1, 1 + turn % 2);
	command("disconnect *");
	read_file("ctf/snapshot", 16, 0);
	now = counts();
	check(!seen.wrong, "snapshots, %s: all bytes are as they should be: %s", how, seen.wrong ?:
	      "");
	check(now.overwritten > now.recorded / 10, "snapshots, %s: some events are overwritten",
	      how);
	check(seen.number[0] + seen.number[1] > seen.packets,
	      "snapshots, %s: packets that were overwritten have numbers", how);
	check(MARKERS * n == now.recorded + now.lost + now.overwritten,
	      "snapshots, %s: %u events are recorded, lost and overwritten", how, MARKERS * n);
	check(seen.events == now.recorded && seen.lost == now.lost,
	      "snapshots, %s: they have the recorded events, and say what is lost", how);
	end_session();
}
