// SPDX-License-Identifier: GPL-2.0-only
/*
 * Section tables: those of a module with three sites, of which an input changes bytes,
 * their bounds included. Whatever they are, they are refused or can be used.
 */
#include "fuzz.h"
#include "table.h"

#define SITES	3
#define GATES	4
#define CALLS	3

/* A module: all that its tables may lead to. */
static struct image {
	struct marker_bounds bounds;
	struct marker_abi abi[2];
	struct marker_site sites[SITES];
	struct marker_gate gates[GATES];
	struct marker_call calls[CALLS];
	char texts[32];
	u8 code[128];
} image;

struct edit {
	u16 at;
	u8 byte;
} __packed;

static struct module module = { .name = "fuzz", .start = &image, .end = &image + 1 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_mute();
	return 0;
}

static void lead(s32 *field, const void *to)
{
	*field = (const u8 *)to - (const u8 *)field;
}

static void build(void)
{
	unsigned int i;

	image = (struct image){
		.bounds = {
			image.sites, image.sites + SITES, image.gates, image.gates + GATES,
			image.calls, image.calls + CALLS, image.abi, image.abi + 2,
		},
		.abi = { MARKER_ABI, MARKER_ABI },
		.texts = "name\0%d %s\0file.c",
	};
	for (i = 0; i < SITES; i++) {
		image.sites[i].name = image.texts;
		image.sites[i].format = image.texts + 5;
		image.sites[i].file = image.texts + 11;
		image.sites[i].kind = i ? MARKER_GATE_NOP5 : MARKER_GATE_IMM;
	}
	for (i = 0; i < GATES; i++) {
		lead(&image.gates[i].site, &image.sites[i % SITES]);
		lead(&image.gates[i].code, image.code + 16 * i);
		lead(&image.gates[i].cold, image.code);
	}
	for (i = 0; i < CALLS; i++) {
		lead(&image.calls[i].site, &image.sites[i]);
		lead(&image.calls[i].code, image.code + 64 + 16 * i);
		image.code[64 + 16 * i] = 0xe8;
	}
}

/* Read the fields of a site that the registry and debugfs read. */
static void use(const struct marker_table *table)
{
	const struct marker_site_state *site;
	u8 bytes[MARKER_GATE_CODE_MAX];
	unsigned int i, sum = 0;
	bool open;

	for (site = table->sites; site < table->sites + table->nsites; site++) {
		sum += strlen(site->entry->name) + strlen(site->entry->format) +
		       strlen(site->entry->file) + marker_site_nargs(site->entry);
		for (i = 0; i < site->ngates; i++)
			if (!site->gates[i].gone && marker_gate_kind_is_code(site->gates[i].kind) &&
			    marker_gate_encode(&site->gates[i], true, bytes))
				sum += marker_gate_recognise(&site->gates[i], bytes, &open);
	}
	fuzz_expect(sum || !table->nsites);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct marker_table *table;
	struct edit edit;

	build();
	for (; size >= sizeof(edit); data += sizeof(edit), size -= sizeof(edit)) {
		memcpy(&edit, data, sizeof(edit));
		((u8 *)&image)[edit.at % sizeof(image)] = edit.byte;
	}
	table = marker_table_make(&module, &image.bounds);
	if (IS_ERR(table))
		return 0;
	use(table);
	marker_table_free(table);
	return 0;
}
