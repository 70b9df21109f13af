// SPDX-License-Identifier: GPL-2.0-only
/*
 * Conditions, checked against a site and applied to events of it. The first bytes of an
 * input are the types of the site's arguments and which values they have.
 */
#include "filter.h"
#include "fuzz.h"

struct header {
	u32 types;
	u8 values[MARKER_ARGS_MAX];
};

static const char texts[][8] = { "", "text", "eth0", "1" };

/* A number, or a pointer to a text, to nothing or to nowhere. */
static unsigned long value_of(u8 byte)
{
	switch (byte >> 6) {
	case 0:
		return byte & 63;
	case 1:
		return (unsigned long)texts[byte % ARRAY_SIZE(texts)];
	case 2:
		return byte & 1 ? 0 : 0xdead0000000;
	default:
		return 1ul << (byte & 63);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_mute();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct marker_site site = { .name = "m", .file = "f.c", .format = "len=%d dev=%s" };
	unsigned long args[MARKER_ARGS_MAX];
	struct marker_filter_fields fields;
	struct marker_filter filter = { };
	struct header header;
	unsigned int i;
	char *text;
	bool once;

	if (size < sizeof(header))
		return -1;
	memcpy(&header, data, sizeof(header));
	site.types = header.types;
	for (i = 0; i < MARKER_ARGS_MAX; i++)
		args[i] = value_of(header.values[i]);
	text = fuzz_text(data + sizeof(header), size - sizeof(header));
	if (!marker_filter_parse(&filter, text)) {
		if (!marker_filter_check(&filter, &site, &fields)) {
			once = marker_filter_match(&filter, &fields, &site, args);
			fuzz_expect(marker_filter_match(&filter, &fields, &site, args) == once);
		}
		marker_filter_free(&filter);
	}
	free(text);
	return 0;
}
