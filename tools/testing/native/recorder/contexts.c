// SPDX-License-Identifier: GPL-2.0-only
/* The items of the context that are stored with an event. */
#include "context.h"
#include "packets.h"

/*
 * Connect @marker with each set of items of the context, so that each makes a class of events;
 * fire it.
 */
void connect_each_context(const char *marker, const char *session)
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
void check_contexts(const char *marker)
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
	for (cpu = 0; cpu < RECORDER_CPUS; cpu++) {
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

/* Return the end of an event of "quick_SIZES". */
static const u8 *pass_words(const u8 *at, const char *marker)
{
	const char *size = strchr(marker, '_') + 1;
	unsigned int i;

	for (i = 0; size[i]; i++) {
		if (memcmp(at, &recorder_words[i], size[i] - '0'))
			wrong(marker);
		at += size[i] - '0';
	}
	return at;
}

/* Two events of each function for certain sizes; @first: the id of the first class. */
static unsigned int read_quick(u32 items, u32 first)
{
	static u8 packet[RING_PACKET];
	const u8 *at = packet + sizeof(struct marker_ctf_packet_header);
	struct marker_ctf_packet_header header;
	struct opened opened;
	unsigned int n = 0;
	loff_t pos = 0;
	u64 time;
	u32 id;

	set_up("flush");
	must(recorder_open(&opened, "ctf/packets"), "ctf/packets");
	opened.fops->read(&opened.file, (char *)packet, sizeof(packet), &pos);
	recorder_close(&opened);
	memcpy(&header, packet, sizeof(header));
	time = header.begin;
	while (at < packet + header.content_bits / 8) {
		at = marker_ctf_header_get((u8 *)at, &id, &time);
		if (id >= first)
			n++;
		at = pass_words(pass_items(at, items), marker_of(id));
	}
	return n;
}

/* The functions that store an event of certain sizes, for both clocks and both short headers. */
void check_quick(void)
{
	static const char *const clocks[] = { "clock=tsc", "clock=mono" };
	unsigned int i, context, wide, n;
	char words[128];

	for (i = 0; i < 8; i++) {
		context = i & 1;
		wide = i & 2;
		snprintf(words, sizeof(words), "size=1M mode=discard addresses=hashed %s",
			 clocks[i / 4]);
		set_up(words);
		forget(false);
		if (wide) {
			/* Classes of other events have the short ids. */
			connect_each_context("of_nothing", "default");
			set_up("flush");
			read_file("ctf/packets", 16, 0);
			forget(false);
		}
		command(context ? "connect quick_* ctf context=tid,pid" : "connect quick_* ctf");
		recorder_cpu = 0;
		recorder_fire_quick();
		recorder_fire_quick();
		n = read_quick(context ? BIT(MARKER_CONTEXT_TID) | BIT(MARKER_CONTEXT_PID) : 0,
			       wide ? BIT(MARKER_CONTEXTS) - 1 : 0);
		check(!seen.wrong && n == 20, "%s, %s headers%s: each size: %s", clocks[i / 4],
		      wide ? "wide" : "compact", context ? ", tid and pid" : "", seen.wrong ?: "");
		end_session();
	}
}
