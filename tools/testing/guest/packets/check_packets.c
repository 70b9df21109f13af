// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks that every packet of a trace of types_ints alone is whole, and every event in it; prints
 * the numbers of events and of lost events.  It is a program, because an emulated guest takes as
 * long to start Python and numpy as for all the rest of a test.
 *
 *	check_packets packets|order DIR		order: packets may have been overwritten in between
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKET 4096

struct header {
	uint32_t magic, stream;
	uint64_t begin, end, content, size, number, lost, cpu;
} __attribute__((packed));

/* The arguments of event number u32 of marker_types.ko, see marker_types.py. */
struct event {
	int8_t s8;
	uint8_t u8;
	int16_t s16;
	uint16_t u16;
	int32_t s32;
	uint32_t u32;
	int64_t s64;
	uint64_t u64;
} __attribute__((packed));

/* Id and time of an event, which its header has in 4 or 13 bytes, see probes/ctf/packet.h. */
struct of_header {
	uint64_t time;
	uint32_t id;
};

/* Bytes of the header at @at. @now: of the previous event, becomes that of the event. */
static size_t read_header(const unsigned char *at, struct of_header *now)
{
	const uint64_t span = 1 << 27;
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	now->id = word & 31;
	if (now->id < 31) {
		now->time += ((word >> 5) - now->time) % span;
		return sizeof(word);
	}
	memcpy(&now->id, at + 1, sizeof(now->id));
	memcpy(&now->time, at + 5, sizeof(now->time));
	return 13;
}

static void wrong(const char *file, uint64_t packet, const char *what)
{
	fprintf(stderr, "%s: packet %llu: %s\n", file, (unsigned long long)packet, what);
	exit(1);
}

static const char *header_is_wrong(const struct header *now, const struct header *before,
				   uint64_t cpu, int gaps)
{
	if (now->magic != 0xC1FC1FC1)
		return "no magic";
	if (now->cpu != cpu)
		return "of another CPU";
	if (now->size != PACKET * 8)
		return "another size";
	if (now->begin > now->end)
		return "ends before it begins";
	if (now->content / 8 < sizeof(*now) || now->content / 8 >= PACKET)
		return "too long";
	if (!before->magic)
		return NULL;
	if (now->number <= before->number)
		return "packets are out of order";
	if (now->number != before->number + 1 && !gaps)
		return "packets are missing in between";
	return now->begin < before->end ? "begins before the one before it ends" : NULL;
}

static const char *event_is_wrong(const struct event *event)
{
	uint64_t n = event->u32;

	if (event->s8 != (int8_t)n || event->u8 != (uint8_t)(n * 3) ||
	    event->s16 != (int16_t)-n ||
	    event->u16 != (uint16_t)(n * 5) || event->s32 != (int32_t)(-n * 65537) ||
	    event->s64 != (int64_t)(-n * 0x100000001) || event->u64 != n * 0x9E3779B97F4A7C15)
		return "an event is torn";
	return NULL;
}

static const char *header_of_event_is_wrong(const struct of_header *now,
					    const struct of_header *before,
					    const struct header *packet)
{
	if (before->time && now->id != before->id)
		return "events of another class";
	if (now->time < before->time)
		return "times go down";
	return now->time > packet->end ? "an event comes behind the end of its packet" : NULL;
}

/* Checks the events of a packet, adds them to *total and makes the last one *before. */
static const char *events_are_wrong(const unsigned char *packet, struct of_header *before,
				    uint64_t *total)
{
	const struct header *header = (const void *)packet;
	struct of_header now = { .time = header->begin };
	size_t at = sizeof(*header), end = header->content / 8;
	const char *why = NULL;
	struct event event;

	while (!why && at < end) {
		at += read_header(packet + at, &now);
		if (!before->time && now.time != header->begin)
			return "begins at another time than its first event";
		memcpy(&event, packet + at, sizeof(event));
		at += sizeof(event);
		why = event_is_wrong(&event) ?: header_of_event_is_wrong(&now, before, header);
		*before = now;
		++*total;
	}
	if (!why && at != end)
		why = "half an event";
	for (; !why && at < PACKET; at++)
		if (packet[at])
			why = "bytes behind the events";
	return why;
}

/* The events of a file are added to *total, and the events that it says were lost to *lost. */
static void check_file(const char *file, uint64_t cpu, int gaps, uint64_t *total,
		       uint64_t *lost)
{
	static unsigned char packet[PACKET + 64];	/* room for half an event at its end */
	struct header header, header_before = { 0 };
	struct of_header event_before = { 0 };
	uint64_t number = 0;
	const char *why;
	size_t got;
	FILE *in = fopen(file, "r");

	if (!in)
		wrong(file, 0, "cannot be opened");
	while ((got = fread(packet, 1, PACKET, in)) == PACKET) {
		memcpy(&header, packet, sizeof(header));
		why = header_is_wrong(&header, &header_before, cpu, gaps);
		why = why ?: events_are_wrong(packet, &event_before, total);
		if (why)
			wrong(file, number, why);
		header_before = header;
		number++;
	}
	if (got || !number)
		wrong(file, number, "the file does not have whole packets");
	*lost += header_before.lost;
	fclose(in);
}

int main(int argc, char **argv)
{
	uint64_t total = 0, lost = 0;
	struct dirent *entry;
	char path[4096];
	DIR *folder = argc == 3 ? opendir(argv[2]) : NULL;

	if (!folder || (strcmp(argv[1], "packets") && strcmp(argv[1], "order"))) {
		fprintf(stderr, "usage: check_packets packets|order DIR\n");
		return 2;
	}
	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, "cpu", 3))
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[2], entry->d_name);
		check_file(path, strtoull(entry->d_name + 3, NULL, 10),
			   !strcmp(argv[1], "order"), &total, &lost);
	}
	closedir(folder);
	printf("%llu %llu\n", (unsigned long long)total, (unsigned long long)lost);
	return 0;
}
