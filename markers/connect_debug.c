// SPDX-License-Identifier: GPL-2.0-only
/* Connects debug sites of a module that comes to existing connections, and exposes them. */
#include "connect.h"
#include "debug_site.h"
#include "expose.h"

static void connect_debug(struct module *mod, const struct marker_selector *selector, bool quiet)
{
	struct marker_table *table = marker_debug_add_of(mod, selector, quiet);

	if (table)
		marker_connect_table(table);
}

void marker_connect_debug(struct module *mod, bool quiet)
{
	const struct marker_expose_rule *rule = marker_expose_get();
	struct marker_connection *conn;
	unsigned int i;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(conn, &marker_connections, list)
		if (!conn->done && !conn->dying && !conn->blocked)
			connect_debug(mod, &conn->selector, quiet);
	for (i = 0; rule && i < rule->n; i++)
		connect_debug(mod, &rule->selectors[i], quiet);
}
