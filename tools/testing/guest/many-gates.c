// SPDX-License-Identifier: GPL-2.0-only
/*
 * A site with more gates than 16 bits count: whether all of them are in the table
 * that is made of the section tables.
 */
#include <err.h>
#include "table.h"

#define GATES 70000

struct tables {
	struct marker_site site;
	struct marker_gate gates[GATES];
};

static struct tables tables;
static struct module self = { .name = "self" };

static s32 offset_to(const s32 *from, const void *to)
{
	return (const char *)to - (const char *)from;
}

int main(void)
{
	static const struct marker_abi abi = MARKER_ABI;
	const struct marker_bounds bounds = {
		.sites = &tables.site, .sites_end = &tables.site + 1,
		.gates = tables.gates, .gates_end = tables.gates + GATES,
		.abi = &abi, .abi_end = &abi + 1,
	};
	struct marker_table *table;
	unsigned int i;

	tables.site.name = "many";
	tables.site.format = "";
	tables.site.file = "08-gates.c";
	tables.site.kind = MARKER_GATE_GENERIC;
	for (i = 0; i < GATES; i++) {
		struct marker_gate *gate = &tables.gates[i];

		gate->code = offset_to(&gate->code, gate);
		gate->cold = offset_to(&gate->cold, gate);
		gate->site = offset_to(&gate->site, &tables.site);
	}
	table = marker_table_make(&self, &bounds);
	if (IS_ERR(table))
		errx(1, "the tables are refused: %ld", PTR_ERR(table));
	printf("%u\n", table->sites[0].ngates);
	marker_table_free(table);
	return 0;
}
