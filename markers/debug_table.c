// SPDX-License-Identifier: GPL-2.0-only
/* Debug sites in the tables of the registry: matching and freeing them. */
#include "debug_event.h"
#include "debug_key.h"
#include "debug_kprobe.h"
#include "debug_range.h"
#include "debug_site.h"
#include "quiesce.h"

bool marker_debug_matches(const struct marker_site_state *site, const char *query)
{
	const struct marker_debug_site *debug = marker_debug_site_of_entry(site->entry);
	const struct marker_debug_place place = marker_debug_place_of(debug->descriptor);

	return marker_debug_query_matches(query, &place);
}

static void forget(struct marker_debug_site *site)
{
	marker_debug_key_forget(site);
	if (site->by_kprobe)
		marker_debug_kprobe_put(site->function);
	marker_debug_site_forget(site);
}

void marker_debug_free(struct marker_table *table)
{
	unsigned int i;

	if (!table->is_debug || !table->nsites)
		return;
	for (i = 0; i < table->nsites; i++)
		forget(marker_debug_site_of_entry(table->sites[i].entry));
	marker_quiesce();
	for (i = 0; i < table->nsites; i++)
		kfree(marker_debug_site_of_entry(table->sites[i].entry));
}
