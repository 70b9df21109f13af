// SPDX-License-Identifier: GPL-2.0-only
/* Sites come and go; see intake.h.  Where their tables are is in find.c. */
#include "connection.h"
#include "find.h"
#include "intake.h"
#include "owner.h"

static void del(struct marker_table *table, bool running)
{
	connection_del_sites(table, running);
	registry_del_table(table, running);
}

void intake_add(struct module *mod, bool quiet)
{
	struct marker_bounds bounds;
	struct marker_table *table;

	mutex_lock(&markers_mutex);
	if (!registry_find_table(mod) && find_bounds(mod, &bounds) &&
	    !registry_add_table(mod, &bounds, quiet)) {
		table = registry_find_table(mod);
		connection_add_sites(table);
		if (owner_init_is_over(mod))
			table_drop_init(table);
	}
	mutex_unlock(&markers_mutex);
}

bool intake_drop_init(struct module *mod)
{
	struct marker_table *table;

	mutex_lock(&markers_mutex);
	table = registry_find_table(mod);
	if (table)
		table_drop_init(table);
	mutex_unlock(&markers_mutex);
	return table;
}

void intake_del(struct module *mod)
{
	struct marker_table *table;

	mutex_lock(&markers_mutex);
	table = registry_find_table(mod);
	if (table)
		del(table, false);
	mutex_unlock(&markers_mutex);
}

void intake_del_all(void)
{
	struct marker_table *table, *tmp;

	mutex_lock(&markers_mutex);
	list_for_each_entry_safe(table, tmp, &marker_tables, list)
		del(table, true);
	mutex_unlock(&markers_mutex);
}
