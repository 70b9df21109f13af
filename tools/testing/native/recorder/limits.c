// SPDX-License-Identifier: GPL-2.0-only
/* Values that the recorder just accepts, and the next ones. */
#include "fetch.h"
#include "packets.h"

void check_sizes(void)
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
void check_lengths(void)
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
void check_memory(void)
{
	const long before = recorder_available;
	const long needed = RECORDER_CPUS * marker_ctf_buffer_bytes(4 * SZ_1M) / (PAGE_SIZE / 2);

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
void check_room(void)
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

static unsigned int between;

static void fire_between(void)
{
	between++;
	recorder_fire(0);
}

/*
 * Events around the end of a packet, each interrupted as it reads the clock for the n-th time.
 * @late: event whose header has the whole time, and which takes the slow path.
 */
static void check_between_events(unsigned int reading, bool late)
{
	const unsigned int fit = (RING_PACKET - sizeof(struct marker_ctf_packet_header) - 1) / 4;
	unsigned int before, n, failed = 0;

	recorder_on_clock = fire_between;
	between = 0;
	for (before = fit - 8; before <= fit; before++) {
		set_up("size=16K mode=discard addresses=hashed");
		command("connect of_nothing ctf");
		forget(false);
		for (recorder_cpu = n = 0; n < before; n++)
			recorder_fire(n);
		recorder_clock += late ? 2 * EVENT_TIME_SPAN : 0;
		recorder_clock_reading = reading;
		recorder_fire(n);
		n += 1 + !recorder_clock_reading;
		recorder_clock_reading = 0;
		set_up("flush");
		read_file("ctf/packets", 16, 0);
		failed += seen.wrong || counts().lost || seen.events != n;
		end_session();
	}
	check(!failed && between, "events are interrupted at reading %u%s", reading,
	      late ? ", late ones" : "");
}

void check_between(void)
{
	check_between_events(1, false);
	check_between_events(2, false);
	check_between_events(2, true);
	recorder_clock += EVENT_TIME_SPAN;
}

/* A reader of a snapshot whose session has been closed and opened again. */
void check_outdated(void)
{
	static char packets[RING_PACKET];
	struct opened own, snapshot;
	unsigned int i, got = 0;
	loff_t pos = 0;

	set_up("size=16K mode=overwrite addresses=hashed");
	must(recorder_open(&own, "ctf/own"), "own");
	command("connect of_numbers ctf");
	fire_many(0, 1500);
	must(recorder_open(&snapshot, "ctf/snapshot"), "snapshot");
	for (i = 0; i < 4; i++)
		got += snapshot.fops->read(&snapshot.file, packets, sizeof(packets), &pos) > 0;
	check(got == 4, "some packets of a snapshot");
	recorder_close(&own);
	command("connect of_numbers ctf");
	fire_many(0, 40);
	set_up("snapshot");
	check(!snapshot.fops->read(&snapshot.file, packets, sizeof(packets), &pos),
	      "a reader of a snapshot that is gone gets nothing");
	recorder_close(&snapshot);
	forget(false);
	read_file("ctf/snapshot", 16, 0);
	check(!seen.wrong && seen.events == 40, "nor does it take anything");
	end_session();
}

/*
 * An event that takes the slow path, as its header has the whole time, begins a packet only if it
 * does not fit into the rest of the open one, but for a byte.
 */
void check_long_header(void)
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

/* The texts become shorter when they have been read once. */
static void shorten(char *text)
{
	if (recorder_texts_read > 8)
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
	recorder_texts_read = 0;
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
		/* Texts that were read again have their first length. */
		if (!texts[i][3])
			memset(expected + 3, '?', most - 3);
		good &= strlen((char *)at) == most && !memcmp(at, expected, most);
		at += most + 1;
	}
	for (; at < packets + RING_PACKET; at++)
		good &= !*at;
	end_session();
	return good && (!shortened || recorder_texts_read > 8);
}

/* Texts that are just short enough, and longer ones; so many of them that some are read twice. */
void check_texts(void)
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
