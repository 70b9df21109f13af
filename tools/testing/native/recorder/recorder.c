// SPDX-License-Identifier: GPL-2.0-only
/*
 * The recorder (probes/ctf) with the core of markers.ko in a program, used through its files:
 * every byte of a packet is read, every event is accounted for, limits are tried at their last
 * value and the next one, and each request for memory is refused.
 *
 *	recorder [IMAGE [N]]	IMAGE gets the memory after a panic, for kmark record vmcore;
 *				with N, the panic and N events before it interrupt an event
 */
#include <err.h>
#include "command.h"
#include "context.h"
#include "ctf/packet.h"
#include "ctf/ring.h"
#include "fetch.h"
#include "gates/native.h"
#include "recorder.h"
#include "registry.h"
#include "connect.h"
#include "text.h"

extern struct marker_site __marker_sites[], __marker_sites_end[];
extern struct marker_gate __marker_gates[], __marker_gates_end[];
extern struct marker_call __marker_calls[], __marker_calls_end[];
extern const struct marker_abi __marker_abi[], __marker_abi_end[];

extern struct cpumask marker_ctf_session_cpus;

#define MARKERS		6u		/* that fire() fires */
#define EVENTS_MAX	100000u

static unsigned int checks, failures;

void check(bool good, const char *format, ...)
{
	va_list args;

	failures += !good;
	printf("%sok %u - ", good ? "" : "not ", ++checks);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static ssize_t write_bytes(const char *path, const char *bytes, size_t size)
{
	struct opened opened;
	loff_t pos = 0;
	ssize_t ret = recorder_open(&opened, path);

	if (ret)
		return ret;
	ret = opened.fops->write(&opened.file, bytes, size, &pos);
	recorder_close(&opened);
	return ret == (ssize_t)size ? 0 : ret;
}

int write_file(const char *path, const char *text)
{
	return write_bytes(path, text, strlen(text));
}

ssize_t read_text(const char *path, char *to, size_t size)
{
	struct opened opened;
	loff_t pos = 0;
	ssize_t ret = recorder_open(&opened, path);

	if (ret)
		return ret;
	ret = opened.fops->read(&opened.file, to, size - 1, &pos);
	recorder_close(&opened);
	if (ret >= 0)
		to[ret] = '\0';
	return ret;
}

/* A step without which nothing can be tested. */
static void must(int ret, const char *what)
{
	if (!ret)
		return;
	check(false, "%s: %s", what, strerror(-ret));
	exit(1);
}

static void command(const char *words)
{
	must(marker_command_execute(words), words);
}

static void set_up(const char *words)
{
	must(write_file("ctf/control", words), words);
}

void (*recorder_on_text)(char *text);

unsigned int __real_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size);
unsigned int __wrap_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size);

unsigned int __wrap_marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
				      char *to,
				      unsigned int size)
{
	void (*on_text)(char *text) = recorder_on_text;

	if (on_text)
		on_text((char *)words[arg->index]);
	return __real_marker_fetch_text(arg, words, to, size);
}

/* The context of each event, of which no two items are equal. */
unsigned long __wrap_marker_context_read(enum marker_context which);
unsigned long __wrap_marker_task_tid(void);
unsigned long __wrap_marker_task_pid(void);

unsigned long __wrap_marker_task_tid(void)
{
	return 0x11121314;
}

unsigned long __wrap_marker_task_pid(void)
{
	return 0x21222324;
}

unsigned long __wrap_marker_context_read(enum marker_context which)
{
	static const char comm[MARKER_COMM_MAX] = "a name, of 15 c";

	switch (which) {
	case MARKER_CONTEXT_TID:
		return marker_task_tid();
	case MARKER_CONTEXT_PID:
		return marker_task_pid();
	case MARKER_CONTEXT_COMM:
		return (unsigned long)comm;
	case MARKER_CONTEXT_PRIO:
		return 0x41424344;
	case MARKER_CONTEXT_CPU:
		return 0x51525354;
	case MARKER_CONTEXT_IRQ:
		return 3;
	case MARKER_CONTEXT_PREEMPT:
		return 0x71 + recorder_preempt;
	default:
		return 0x8182838485868788;
	}
}

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

/* What was read of a session, and what is expected of it. */
static struct {
	bool raw;
	unsigned long events, packets, lost;
	u64 hash;			/* of RECORDER_ADDRESS, once it is known */
	u64 number[nr_cpu_ids], end[nr_cpu_ids], lost_of[nr_cpu_ids];
	const char *wrong;
	struct {
		u32 id;
		char marker[64];
	} classes[512];
	unsigned int nclasses;
} seen;

static void wrong(const char *what)
{
	if (!seen.wrong)
		seen.wrong = what;
}

static void forget(bool raw)
{
	memset(&seen, 0, sizeof(seen));
	seen.raw = raw;
}

static const char *marker_of(u32 id)
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
static const u8 *pass_fields(const u8 *at, const char *marker, u64 time)
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
static void see_bytes(const u8 *packet, size_t used)
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
	    header.content_bits / 8 > RING_PACKET || header.cpu >= nr_cpu_ids) {
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

static void read_file(const char *path, unsigned int most, unsigned int reads)
{
	struct opened opened;

	must(recorder_open(&opened, path), path);
	/* A trace of its own. */
	memset(seen.end, 0, sizeof(seen.end));
	read_packets(&opened, most, reads);
	recorder_close(&opened);
}

/* Sums over the CPUs. */
struct counts {
	unsigned long recorded, lost, overwritten;
};

static struct counts counts(void)
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
static unsigned int fire_many(unsigned int first, unsigned int times)
{
	unsigned int n;

	for (n = first; n < first + times; n++) {
		recorder_cpu = n % 3 == 2;
		fire(n);
	}
	return n;
}

static void end_session(void)
{
	marker_command_execute("disconnect *");
	set_up("start");
	set_up("close");
}

/*
 * A recorder that reads now and then, in parts of packets, while more comes than the ring can
 * take.
 */
static void check_packets(bool raw)
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
	static typeof(seen) before;
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
static void check_snapshots(bool raw)
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

static void check_sizes(void)
{
	static const struct {
		const char *words;
		int ret;
		const char *size;
	} sizes[] = {
		{ "size=1M", 0, "1048576" }, { "size=16383", -EINVAL, "1048576" },
		{ "size=16384", 0, "16384" }, { "size=16385", 0, "32768" },
		{ "size=0x40000000", 0, "1073741824" },
		{ "size=0x40000001", -EINVAL, "1073741824" },
	};
	char text[2048], line[64];
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ret = write_file("ctf/control", sizes[i].words);
		read_text("ctf/session", text, sizeof(text));
		snprintf(line, sizeof(line), "\nsize\t%s\n", sizes[i].size);
		check(ret == sizes[i].ret && strstr(text, line), "%s", sizes[i].words);
	}
}

/* A write has at most 256 bytes, a name at most 31. */
static void check_lengths(void)
{
	char words[300], name[40];
	unsigned int length;

	for (length = 255; length <= 257; length++) {
		memset(words, ' ', length);
		memcpy(words, "flush", 5);
		check(write_bytes("ctf/control", words, length) == (length > 256 ? -EINVAL : 0),
		      "control: %u bytes", length);
		memcpy(words, "create x", 8);
		check(write_bytes("ctf/sessions", words, length) == (length > 256 ? -EINVAL : 0),
		      "sessions: %u bytes", length);
		if (length <= 256)
			must(write_file("ctf/sessions", "remove x"), "remove");
	}
	for (length = 30; length <= 32; length++) {
		memset(name, 'n', length);
		name[length] = '\0';
		snprintf(words, sizeof(words), "create %s", name);
		check(write_file("ctf/sessions", words) == (length > 31 ? -EINVAL : 0),
		      "a name of %u characters", length);
		snprintf(words, sizeof(words), "connect of_nothing ctf session=%s", name);
		check(!marker_command_execute(words) == (length <= 31), "is a session");
		marker_command_execute("disconnect *");
		snprintf(words, sizeof(words), "remove %s", name);
		check(write_file("ctf/sessions", words) == (length > 31 ? -EINVAL : 0),
		      "is removed");
	}
}

/* Half of the memory that is available, and not a page more. */
static void check_memory(void)
{
	const long before = recorder_available;
	const long needed = nr_cpu_ids * marker_ctf_buffer_bytes(4 * SZ_1M) / (PAGE_SIZE / 2);

	set_up("size=4M mode=discard");
	recorder_available = needed - 1;
	check(marker_command_execute("connect of_nothing ctf") == -ENOMEM,
	      "more than half of the memory");
	recorder_available = needed;
	check(!marker_command_execute("connect of_nothing ctf"), "half of the memory");
	end_session();
	set_up("mode=overwrite");
	check(marker_command_execute("connect of_nothing ctf") == -ENOMEM,
	      "two buffers for each CPU need twice");
	recorder_available = 2 * needed;
	check(!marker_command_execute("connect of_nothing ctf"), "half of twice as much");
	end_session();
	recorder_available = before;
}

/* As many events as fit into the ring, and one more. */
static void check_room(void)
{
	const unsigned int header = sizeof(struct marker_ctf_packet_header);
	const unsigned int fit = 4 * ((RING_PACKET - header - 1) / 4);
	struct counts now;
	unsigned int n;

	set_up("size=16K mode=discard addresses=hashed");
	command("connect of_nothing ctf");
	forget(false);
	for (recorder_cpu = n = 0; n < fit; n++)
		recorder_fire(n);
	check(!counts().lost, "%u events fit into the ring", fit);
	recorder_fire(n);
	check(counts().lost == 1, "one more is lost");
	set_up("stop");
	recorder_fire(n);
	read_file("ctf/packets", 16, 0);
	now = counts();
	check(!seen.wrong && now.recorded == fit && seen.events == fit, "those that fit are read");
	check(now.lost == 2 && seen.lost == 2, "the last packet says how many are lost");
	end_session();
}

/*
 * An event that takes the slow path, as its header has the whole time, begins a packet only if it
 * does not fit into the rest of the open one, but for a byte.
 */
static void check_long_header(void)
{
	const unsigned int header = 13, used = sizeof(struct marker_ctf_packet_header);
	unsigned int numbers, n, fit;

	/*
	 * An event of of_numbers has 9 bytes, of of_nothing 4: the rest is of each size around
	 * that header.
	 */
	for (numbers = 0; numbers < 4; numbers++) {
		set_up("size=16K mode=discard addresses=hashed");
		command("connect of_numbers ctf");
		forget(false);
		for (recorder_cpu = n = 0; n < numbers; n++)
			fire(n);
		command("disconnect of_numbers; connect of_nothing ctf");
		fit = (RING_PACKET - 1 - header - used - 9 * numbers) / 4;
		for (n = 0; n < fit; n++)
			recorder_fire(n);
		recorder_clock += 2 * EVENT_TIME_SPAN;
		recorder_fire(n);
		set_up("flush");
		read_file("ctf/packets", 16, 0);
		check(!seen.wrong && seen.packets == 1 && seen.events == numbers + fit + 1,
		      "a long header behind %u bytes is in the same packet",
		      used + 9 * numbers + 4 * fit);
		end_session();
		recorder_clock += EVENT_TIME_SPAN;
	}
}

static unsigned int texts_read;

/* The texts become shorter when they have been read once. */
static void shorten(char *text)
{
	if (++texts_read > 8)
		text[3] = '\0';
}

/* One event with eight texts, which is read back. */
static bool are_stored(const unsigned int *lengths, bool shortened)
{
	static u8 packets[16 * RING_PACKET];
	static char texts[8][300], expected[300];
	const char *all[8];
	struct opened opened;
	unsigned int i, most;
	loff_t pos = 0;
	const u8 *at;
	bool good;

	set_up("size=16K mode=discard addresses=hashed");
	command("connect of_many ctf");
	for (i = 0; i < 8; i++) {
		memset(texts[i], 'a' + i, lengths[i]);
		texts[i][lengths[i]] = '\0';
		all[i] = texts[i];
	}
	texts_read = 0;
	recorder_on_text = shortened ? shorten : NULL;
	recorder_fire_texts(all);
	recorder_on_text = NULL;
	set_up("flush");
	must(recorder_open(&opened, "ctf/packets"), "ctf/packets");
	good = opened.fops->read(&opened.file, (char *)packets, sizeof(packets),
				 &pos) == RING_PACKET;
	recorder_close(&opened);
	at = packets + sizeof(struct marker_ctf_packet_header) + 4;
	for (i = 0; i < 8; i++) {
		most = min(lengths[i], MARKER_TEXT_MAX - 1);
		memset(expected, 'a' + i, most);
		/* Those that were read again have their first length. */
		if (!texts[i][3])
			memset(expected + 3, '?', most - 3);
		good &= strlen((char *)at) == most && !memcmp(at, expected, most);
		at += most + 1;
	}
	for (; at < packets + RING_PACKET; at++)
		good &= !*at;
	end_session();
	return good && (!shortened || texts_read > 8);
}

/* Texts that are just short enough, and longer ones; so many of them that some are read twice. */
static void check_texts(void)
{
	static const unsigned int before[][2] = {
		{ 200, 56 }, { 200, 57 }, { 200, 80 }, { 255, 120 },
	};
	unsigned int lengths[8], i, length;

	for (length = MARKER_TEXT_MAX - 2; length <= MARKER_TEXT_MAX + 1; length++) {
		for (i = 0; i < 8; i++)
			lengths[i] = length - i;
		check(are_stored(lengths, false), "eight texts of up to %u characters", length);
		check(are_stored(lengths, true), "they become shorter meanwhile");
	}
	/* The rest of the memory that keeps texts has room for the longest text, or for less. */
	for (i = 0; i < ARRAY_SIZE(before); i++) {
		for (length = 0; length < 8; length++)
			lengths[length] = length < 2 ? before[i][length] : 300 - length;
		check(are_stored(lengths, false), "long texts behind %u characters",
		      before[i][0] + before[i][1]);
	}
}

/* A CPU that comes up has no memory at first: all of its events are lost, and counted. */
static void check_new_cpu(void)
{
	unsigned int n = 0, tries = 0, of_new = 0;
	long allocated;
	struct counts now;

	recorder_unload();
	allocated = request_allocated;
	recorder_online = 1;
	/* Of a module, these would be new. */
	marker_ctf_session_cpus = (struct cpumask){ };
	must(recorder_load(), "load");
	set_up("size=16K mode=overwrite addresses=hashed");
	command("connect of_numbers ctf");
	forget(false);
	do {
		request_number = 0;
		request_refused = tries++;
		if (tries > 1)
			recorder_prepare_cpu(1);
		request_refused = 0;
		if (tries > 1 && request_number < tries - 1)
			break;
		for (recorder_cpu = 0; recorder_cpu < 2; recorder_cpu++, n++)
			fire(n);
		of_new++;
		read_file("ctf/snapshot", 16, 0);
		if (counts().lost != of_new)
			wrong("an event is stored without memory");
	} while (tries < 100);
	for (recorder_cpu = 0; recorder_cpu < 2; recorder_cpu++, n++)
		fire(n);
	recorder_cpu = 0;
	read_file("ctf/snapshot", 16, 0);
	now = counts();
	check(tries > 5 && !seen.wrong, "a CPU comes up, and %u requests are refused: %s",
	      tries - 2,
	      seen.wrong ?: "");
	check(now.lost == of_new && now.recorded == n - of_new && seen.events == now.recorded,
	      "its events are lost until there is memory");
	end_session();
	recorder_unload();
	check(request_allocated == allocated, "nothing is left allocated");
	recorder_online = nr_cpu_ids;
	must(recorder_load(), "load");
}

/*
 * Connect @marker with each set of items of the context, so that each makes a class of events;
 * fire it.
 */
static void connect_each_context(const char *marker, const char *session)
{
	char words[256];
	unsigned int set, i;
	size_t at;

	for (set = 1; set < BIT(MARKER_CONTEXTS); set++) {
		at = scnprintf(words, sizeof(words), "connect %s ctf session=%s context=", marker,
			       session);
		for (i = 0; i < MARKER_CONTEXTS; i++)
			if (set & BIT(i))
				at += scnprintf(words + at, sizeof(words) - at, "%s%s",
						words[at - 1] == '=' ? "" : ",",
						marker_context_kinds[i].name);
		command(words);
		recorder_cpu = set & 1;
		fire(set);
		command("disconnect *");
	}
}

/* The items of a set as an event has them. */
static const u8 *pass_items(const u8 *at, u32 set)
{
	enum marker_context which;
	unsigned long word;
	size_t size;

	for (; set; set &= set - 1) {
		which = __ffs(set);
		word = marker_context_read(which);
		size = which == MARKER_CONTEXT_COMM	? MARKER_COMM_MAX :
		       which == MARKER_CONTEXT_CGROUP	? 8 :
		       which == MARKER_CONTEXT_IRQ || which == MARKER_CONTEXT_PREEMPT ? 1 : 4;
		if (memcmp(at, which == MARKER_CONTEXT_COMM ? (void *)word : (void *)&word, size))
			wrong(marker_context_kinds[which].name);
		at += size;
	}
	return at;
}

/* Each set of items of the context before numbers, and before texts and addresses. */
static void check_contexts(const char *marker)
{
	static u8 packets[16 * RING_PACKET];
	struct marker_ctf_packet_header header;
	unsigned int events = 0, cpu;
	struct opened opened;
	const u8 *at, *packet, *end;
	loff_t pos = 0;
	ssize_t got;
	u64 time;
	u32 id;

	forget(false);
	must(write_file("ctf/sessions", "create contexts"), "create");
	must(write_file("ctf/instances/contexts/control", "size=64K mode=discard addresses=hashed"),
	     "contexts");
	/* The memory of a session stays from the first event to the last. */
	connect_each_context(marker, "contexts");
	must(write_file("ctf/instances/contexts/control", "flush"), "flush");
	must(recorder_open(&opened, "ctf/instances/contexts/packets"), "packets");
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		got = opened.fops->read(&opened.file, (char *)packets, sizeof(packets), &pos);
		for (packet = packets; packet < packets + got; packet += RING_PACKET) {
			memcpy(&header, packet, sizeof(header));
			see_bytes(packet, header.content_bits / 8);
			time = header.begin;
			end = packet + header.content_bits / 8;
			for (at = packet + sizeof(header); at < end; events++) {
				at = marker_ctf_header_get((u8 *)at, &id, &time);
				at = pass_fields(pass_items(at, id + 1), marker, time);
			}
		}
	}
	recorder_close(&opened);
	check(!seen.wrong && events == BIT(MARKER_CONTEXTS) - 1,
	      "each context before the fields of %s: %s", marker,
	      seen.wrong ?: "");
	must(write_file("ctf/sessions", "remove contexts"), "remove");
}

/* An image of the memory after a panic, with what recorder.t knows of. */
static void panic(const char *path)
{
	FILE *image = fopen(path, "w");
	unsigned int n;

	if (!image)
		err(2, "%s", path);
	must(write_file("ctf/sessions", "create many"), "create");
	must(write_file("ctf/sessions", "create closed"), "create");
	must(write_file("ctf/sessions", "create empty"), "create");
	must(write_file("ctf/instances/many/control", "size=64K mode=discard"), "many");
	command("connect of_* ctf session=closed");
	fire_many(0, 100);
	command("disconnect *");
	must(write_file("ctf/instances/closed/control", "close"), "close");
	connect_each_context("of_numbers", "many");
	command("connect of_nothing ctf session=empty");
	/* Both buffers of a CPU have events of times that alternate, and none is overwritten. */
	set_up("size=16K mode=overwrite addresses=hashed");
	command("connect of_texts ctf");
	for (n = 0; n < 300; n += 100) {
		fire_many(n, 100);
		read_file("ctf/snapshot", 1, n == 100);
	}
	fire_many(n, 50);
	recorder_panic->notifier_call(recorder_panic, 0, NULL);
	fire_many(n + 50, 10);
	recorder_write_memory(image);
	fclose(image);
}

static FILE *interrupted_image;
static unsigned int interrupting;

/* In the middle of an event: other events, and a panic. */
static void interrupt(char *text)
{
	if (++texts_read <= 8)
		return;
	recorder_on_text = NULL;
	fire_many(1000, interrupting);
	recorder_panic->notifier_call(recorder_panic, 0, NULL);
	recorder_write_memory(interrupted_image);
	fclose(interrupted_image);
	exit(0);
}

/*
 * The same where the panic interrupts the store of an event for good, with so many events before
 * the panic.
 */
static void panic_in_store(const char *path, unsigned int events)
{
	static char text[300];
	const char *all[8] = { text, text, text, text, text, text, text, text };

	memset(text, 'a', sizeof(text) - 1);
	interrupted_image = fopen(path, "w");
	if (!interrupted_image)
		err(2, "%s", path);
	interrupting = events;
	set_up("size=64K mode=discard");
	command("connect of_numbers ctf; connect of_many ctf");
	recorder_cpu = 1;
	fire(0);
	recorder_on_text = interrupt;
	recorder_fire_texts(all);
}

static void load_sites(void)
{
	static struct module self = { .name = "self" };
	const struct marker_bounds bounds = {
		__marker_sites, __marker_sites_end, __marker_gates, __marker_gates_end,
		__marker_calls, __marker_calls_end, __marker_abi, __marker_abi_end,
	};

	mutex_lock(&marker_mutex);
	must(marker_registry_add_table(&self, &bounds, false), "the sites");
	mutex_unlock(&marker_mutex);
}

int main(int argc, char **argv)
{
	if (!freopen("/dev/null", "w", stderr))
		err(2, "no log");
	if (marker_trap_init() || marker_registry_init())
		errx(2, "the core does not begin");
	load_sites();
	check_faults();
	must(recorder_load(), "load");
	if (argc > 2)
		panic_in_store(argv[1], atoi(argv[2]));
	if (argc > 1) {
		panic(argv[1]);
		return 0;
	}
	check_packets(false);
	check_packets(true);
	check_snapshots(false);
	check_snapshots(true);
	set_up("addresses=hashed");
	check_sizes();
	check_lengths();
	check_memory();
	check_room();
	check_long_header();
	check_texts();
	check_contexts("of_numbers");
	check_contexts("of_addresses");
	check_contexts("of_texts");
	check_contexts("of_bytes");
	check_new_cpu();
	recorder_unload();
	check(!request_references, "no reference is left");
	printf("1..%u\n", checks);
	return !!failures;
}
