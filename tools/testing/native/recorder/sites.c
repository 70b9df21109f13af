// SPDX-License-Identifier: GPL-2.0-only
/* The sites of the program: each kind of argument that the recorder stores in a way of its own. */
#include "marker.h"
#include "recorder.h"

/* Values of which no two are equal. */
void recorder_fire(unsigned int n)
{
	static const u8 mac[6] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66 };
	void *address = (void *)RECORDER_ADDRESS, *shown = (void *)RECORDER_SHOWN;
	char text[] = RECORDER_TEXT;

	text[recorder_text_length(n)] = '\0';
	MARK(of_nothing, "nothing");
	MARK(of_numbers, "n=%u byte=%hhd", n, (signed char)(n + 3));
	MARK(of_addresses, "n=%u address=%p shown=%px", n, address, shown);
	MARK(of_texts, "n=%u text=%s address=%p other=%s", n, text, address, "another");
	MARK(of_pointers, "address=%p n=%u text=%s", address, n, text);
	MARK_FIELDS(of_bytes, field(u32, n), bytes(mac, 6), field(ptr, address));
}

/* Classes whose descriptions fill a page. */
#define TEN(of)		of of of of of of of of of of
#define LONG_FORMAT	TEN(TEN("format ") "and so on ")

void recorder_fire_texts(const char *const *t)
{
	MARK(of_many, "%s %s %s %s %s %s %s %s", t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]);
	MARK(long_first, LONG_FORMAT);
	MARK(long_second, LONG_FORMAT);
	MARK(long_third, LONG_FORMAT);
	MARK(long_fourth, LONG_FORMAT);
	MARK(long_fifth, LONG_FORMAT);
	MARK(twice, "nothing");
	MARK(twice, "nothing");
}

const u64 recorder_words[4] = {
	0x1112131415161718, 0x2122232425262728, 0x3132333435363738, 0x4142434445464748,
};

void recorder_fire_quick(void)
{
	const u64 *w = recorder_words;
	unsigned int a = w[0], b = w[1], c = w[2];

	MARK(quick_, "nothing");
	MARK(quick_4, "%u", a);
	MARK(quick_8, "%lu", w[0]);
	MARK(quick_44, "%u %u", a, b);
	MARK(quick_48, "%u %lu", a, w[1]);
	MARK(quick_84, "%lu %u", w[0], b);
	MARK(quick_88, "%lu %lu", w[0], w[1]);
	MARK(quick_444, "%u %u %u", a, b, c);
	MARK(quick_888, "%lu %lu %lu", w[0], w[1], w[2]);
	MARK(quick_8888, "%lu %lu %lu %lu", w[0], w[1], w[2], w[3]);
}
