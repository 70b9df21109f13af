// SPDX-License-Identifier: GPL-2.0-only
/* The whole texts of the files of markers.ko itself (markers/debugfs*.c). */
#include "command.h"
#include "connect.h"
#include "debugfs.h"
#include "marker_probe.h"
#include "patch.h"
#include "recorder.h"
#include "registry.h"

static void notrace ignore(MARKER_PARAMS)
{
}

/* Come back to the site while the probe is under way. */
static void notrace come_back(MARKER_PARAMS)
{
	static bool under_way;

	if (under_way)
		return;
	under_way = true;
	recorder_fire(0);
	under_way = false;
}

static u64 seven(void *data)
{
	return 7;
}

static void *attach(const char *args)
{
	return args && strcmp(args, "a b") ? ERR_PTR(-EINVAL) : NULL;
}

static void show_rows(void *data, struct marker_probe_rows *rows)
{
	marker_probe_row(rows, "events", 1ull << 63, "-");
	marker_probe_row(rows, "key", 2, "%d\t%s", -1, "b\n\r\\\033\177\303\251");
}

static struct marker_probe probes[] = {
	{ .name = "hits", .func = ignore, .leaf = true, .hits = seven, .attach = attach },
	{ .name = "shows", .func = ignore, .leaf = true, .show = show_rows,
	  .format = "n=%u byte=%hhd", .owner = THIS_MODULE },
	{ .name = "neither", .func = come_back },
};

static void write_control(const char *commands)
{
	must(write_file("markers/control", commands), commands);
}

/* Other code writes to the first gate of @site. */
static void spoil(const struct marker_site_state *site, u8 byte)
{
	u8 *code = site->gates[0].code;
	struct marker_patch patch = {
		.addr = code, .len = 1, .old = { *code }, .new = { byte }, .quiet = true,
	};

	must(marker_patch_apply(&patch, 1, NULL), "foreign bytes");
}

static struct marker_site_state *first_of(const char *name)
{
	struct marker *marker;

	mutex_lock(&marker_mutex);
	marker = marker_registry_next_marker(name, NULL);
	mutex_unlock(&marker_mutex);
	return list_first_entry(&marker->sites, struct marker_site_state, peers);
}

/* A write of @size bytes that are blanks, but for the last one. */
static void write_blanks(size_t size, char last)
{
	static char blanks[SZ_1M + 1];

	memset(blanks, ' ', size);
	blanks[size - 1] = last;
	printf("%zu bytes, the last one %d: %zd\n", size, last,
	       write_bytes("markers/control", blanks, size));
}

void print_core(void)
{
	struct marker_site_state *site;
	static char files[8192];
	char one[64];
	unsigned int i;
	u8 was;

	must(marker_debugfs_init(), "init");
	recorder_list_files(files, sizeof(files));
	printf("\n%s", files);
	write_blanks(SZ_1M, ' ');
	write_blanks(SZ_1M + 1, ' ');
	write_blanks(5, '\0');
	write_blanks(5, 'x');
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		must(marker_probe_register(&probes[i]), probes[i].name);
	write_control("connect of_t* hits first=5 a\tb if n > 1");
	write_control("connect of_numbers shows\narm none hits");
	sprintf(one, "connect site:%u neither", first_of("twice")->id);
	write_control(one);
	write_control("connect of_numbers neither; connect of_numbers hits; expose of_* x.c:5");
	for (i = 0; i < 4; i++)
		recorder_fire(i);
	show("markers/control", "");
	show("markers/markers", "of_");
	show("markers/markers", "twice");
	show("markers/sites", "of_");
	show("markers/probes", "");
	show("markers/results", "");
	show("markers/stats", "");
	show("markers/verify", "");

	printf("\na limit is reached:\n");
	for (; i < 8; i++)
		recorder_fire(i);
	marker_disconnect_spent();
	show("markers/control", "of_t");
	show("markers/results", "of_t");
	show("markers/sites", "of_t");

	printf("\nforeign bytes:\n");
	write_control("disconnect *; expose");
	site = first_of("of_nothing");
	was = *site->gates[0].code;
	spoil(site, 0x90);
	show("markers/control", "");
	show("markers/verify", "");
	show("markers/sites", "of_nothing");
	show("markers/stats", "busy");
	spoil(site, was);
	show("markers/verify", "");
	show("markers/stats", "busy");
	marker_debugfs_exit();
	recorder_list_files(files, sizeof(files));
	printf("\n%s", files);
}
