// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats of printk(): what each argument is for, and an event printed. The first bytes of
 * an input are the types of the arguments, the room for the text and the values.
 */
#include "fetch.h"
#include "fuzz.h"
#include "plan.h"

#define ROOM	64
#define CANARY	0x5a

struct header {
	u32 types;
	u8 size;
	u8 values[MARKER_ARGS_MAX];
};

static const char text[] = "text of some length";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_mute();
	return 0;
}

static void print(const struct marker_site *site, const unsigned long *words, unsigned int size)
{
	char to[ROOM + 1];
	unsigned int len;

	memset(to, CANARY, sizeof(to));
	len = marker_print(site, words, marker_fetch_text, to, size);
	fuzz_expect(len < size && strlen(to) == len && to[size] == CANARY);
	while (len)
		fuzz_expect(!iscntrl(to[--len]));
}

static void walk(const struct marker_site *site)
{
	struct marker_arg arg = { };
	char spec[MARKER_SPEC_MAX];
	unsigned int n, end = 0;

	while (marker_arg_next(site, &arg)) {
		fuzz_expect(arg.start >= end && arg.end > arg.start &&
			    arg.end <= strlen(site->format));
		end = arg.end;
		if (arg.role != MARKER_ROLE_NUMBER && arg.role != MARKER_ROLE_POINTER)
			continue;
		marker_arg_spec(site, &arg, spec);
		fuzz_expect(strlen(spec) < sizeof(spec) && *spec == '%');
	}
	for (n = 0; n < marker_site_nargs(site); n++)
		marker_arg_find(site, n, &arg);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct marker_site site = { .name = "m", .file = "f.c" };
	unsigned long words[MARKER_ARGS_MAX];
	struct marker_plan plan;
	struct header header;
	unsigned int i;
	char *format;

	if (size < sizeof(header))
		return -1;
	memcpy(&header, data, sizeof(header));
	format = fuzz_text(data + sizeof(header), size - sizeof(header));
	site.types = header.types;
	site.format = format;
	for (i = 0; i < MARKER_ARGS_MAX; i++)
		words[i] = header.values[i] & 1 ? (unsigned long)text : (s8)header.values[i] / 2;
	walk(&site);
	if (!marker_plan_make(&plan, &site, "fuzz"))
		print(&site, words, 1 + header.size % ROOM);
	free(format);
	return 0;
}
