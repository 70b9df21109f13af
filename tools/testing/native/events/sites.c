// SPDX-License-Identifier: GPL-2.0-only
/* The sites of the program: fields of each size behind each other, with gaps of each length. */
#include "marker.h"
#include "events.h"

void events_fire(unsigned int n)
{
	static const u8 mac[6] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66 };
	char text[] = "text of the event";

	text[n % 13] = '\0';
	MARK(of_nothing, "nothing");
	MARK(of_byte, "%hhu", (u8)n);
	MARK(of_word, "%u", n);
	MARK(of_long, "%lu", (unsigned long)n);
	MARK(of_gaps, "%hhu %lu %hu %u %hhu", (u8)n, n + 1ul, (u16)(n + 2), n + 3, (u8)(n + 4));
	MARK(of_pairs, "%lu %hhu %hu %lu", n + 1ul, (u8)(n + 2), (u16)(n + 3), n + 4ul);
	MARK(of_text, "%s %hhu", text, (u8)n);
	MARK(of_texts, "%hhu %s %lu %s", (u8)n, text, n + 1ul, text);
	MARK_FIELDS(of_bytes, field(u8, n, (u8)n), bytes(mac, 6), field(u64, m, n + 1ul),
		    bytes(mac2, 3, mac));
	MARK(of_system, "%d", n);
	MARK(of_pointers, "a=%p b=%p.", (void *)(n + 1ul), (void *)(n + 2ul));
	MARK(of_signed, "a=%hhd b=%hd c=%d d=%ld e=%px", (s8)-n, (s16)-n, -(int)n, -(long)n,
	     (void *)-(long)n);
	MARK(of_parts, "a\\b%hhu c\\# %%\\d %lu", (u8)n, n + 1ul);
}
