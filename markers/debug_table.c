// SPDX-License-Identifier: GPL-2.0-only
/* Debug sites in the tables of the registry: which of them match, and how they are freed. */
#include "debug_event.h"
#include "debug_key.h"
#include "debug_range.h"
#include "debug_site.h"
#include "quiesce.h"

static struct marker_debug_site *site_of(const struct marker_site_state *site)
{
	return container_of(site->entry, struct marker_debug_site, entry);
}

bool marker_debug_matches(const struct marker_site_state *site, const char *query)
{
	const struct marker_debug_place place = marker_debug_place_of(site_of(site)->descriptor);

	return marker_debug_query_matches(query, &place);
}

void marker_debug_free(struct marker_table *table)
{
	unsigned int i;

	if (!table->is_debug || !table->nsites)
		return;
	for (i = 0; i < table->nsites; i++) {
		marker_debug_key_forget(site_of(&table->sites[i]));
		marker_debug_site_forget(site_of(&table->sites[i]));
	}
	marker_quiesce();
	for (i = 0; i < table->nsites; i++)
		kfree(site_of(&table->sites[i]));
}
