// SPDX-License-Identifier: GPL-2.0-only
/* Sites come and go; see intake.h.  Where their tables are is in find.c. */
#include "connection.h"
#include "find.h"
#include "ghosts.h"
#include "intake.h"
#include "owner.h"

static void drop_init(struct marker_table *table)
{
	ghosts_drop_init(table);
	table_drop_init(table);
}

void intake_add(struct module *mod, bool quiet)
{
	struct marker_bounds bounds;
	struct marker_table *table;

	if (!find_bounds(mod, &bounds))
		return;
	mutex_lock(&markers_mutex);
	table = registry_find_table(mod);
	if (!table && !registry_add_table(mod, &bounds, quiet)) {
		table = registry_find_table(mod);
		connection_add_sites(table);
	}
	if (table && owner_init_is_over(mod))
		drop_init(table);
	mutex_unlock(&markers_mutex);
}

bool intake_drop_init(struct module *mod)
{
	struct marker_table *table = registry_find_table(mod);

	if (!table)
		return false;
	mutex_lock(&markers_mutex);
	drop_init(table);
	mutex_unlock(&markers_mutex);
	return true;
}

void intake_del(struct module *mod)
{
	struct marker_table *table = registry_find_table(mod);

	if (!table)
		return;
	mutex_lock(&markers_mutex);
	connection_del_sites(table);
	registry_del_table(table, false);
	mutex_unlock(&markers_mutex);
}

void intake_del_all(void)
{
	struct marker_table *table, *tmp;

	/* Nothing is connected: who connects pins a module that needs this one. */
	mutex_lock(&markers_mutex);
	list_for_each_entry_safe(table, tmp, &marker_tables, list)
		registry_del_table(table, true);
	mutex_unlock(&markers_mutex);
}
