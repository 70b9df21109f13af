// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handles modules that come, whose sites are connected to armed probes, and modules that go.
 * The kernel itself is the module NULL.  module_tables.c finds the tables of a module.
 *
 * Locks: takes marker_mutex, but never for a module without sites.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include "connect.h"
#include "kprobe_gate.h"
#include "module.h"
#include "module_tables.h"
#include "owner.h"
#include "probe.h"

/* The last module whose tables were refused when it came; its tables are not read again. */
static struct module *refused;

/* Under marker_mutex: no table is added any more, because markers.ko is being unloaded. */
static bool is_ending;

static void drop_init_text(struct marker_table *table)
{
	marker_kprobe_gates_drop_init(table);
	marker_table_drop_init(table);
}

/* Register the gates of @mod, which is loaded before modules with such sites: they need it. */
static void add_gates(struct module *mod)
{
	const struct marker_gate_ops *ops = marker_module_find_gates(mod);

	if (ops)
		marker_gates_register(ops);
}

static void del_gates(struct module *mod)
{
	const struct marker_gate_ops *ops = marker_module_find_gates(mod);

	if (ops)
		marker_gates_unregister(ops);
}

/* Debug sites that are selected already.  @mod may have none. */
static void add_debug(struct module *mod, bool quiet)
{
	if (!marker_selector_wants_debug())
		return;
	mutex_lock(&marker_mutex);
	if (!is_ending)
		marker_connect_debug(mod, quiet);
	mutex_unlock(&marker_mutex);
	marker_probe_settle_all();
}

static void del_debug(const struct module *mod)
{
	struct marker_table *table;

	if (!marker_registry_find_debug_table(mod))
		return;
	mutex_lock(&marker_mutex);
	while ((table = marker_registry_find_debug_table(mod))) {
		marker_disconnect_table(table);
		marker_registry_del_table(table, false);
	}
	mutex_unlock(&marker_mutex);
	marker_probe_settle_all();
}

/* Add a module, unless it is known or has no sites. @quiet: its init has not begun. */
static void add(struct module *mod, bool quiet)
{
	struct marker_bounds bounds;
	struct marker_table *table;
	int ret;

	add_debug(mod, quiet);
	if (!marker_module_find_tables(mod, &bounds) || (mod && mod == READ_ONCE(refused)))
		return;
	mutex_lock(&marker_mutex);
	table = marker_registry_find_table(mod);
	if (!table && !is_ending) {
		ret = marker_registry_add_table(mod, &bounds, quiet);
		if (ret == -EINVAL || ret == -ENOEXEC)
			WRITE_ONCE(refused, mod);
		table = marker_registry_find_table(mod);
		if (table)
			marker_connect_table(table);
	}
	if (table && marker_owner_init_is_over(mod))
		drop_init_text(table);
	mutex_unlock(&marker_mutex);
	marker_probe_settle_all();
}

bool marker_module_drop_init(struct module *mod)
{
	struct marker_table *table = marker_registry_find_table(mod);

	if (!table)
		return false;
	mutex_lock(&marker_mutex);
	drop_init_text(table);
	mutex_unlock(&marker_mutex);
	return true;
}

/* Delete the tables of @mod, whose code does not run any more. */
static void del(struct module *mod)
{
	struct marker_table *table = marker_registry_find_table(mod);

	cmpxchg(&refused, mod, NULL);
	del_debug(mod);
	if (!table)
		return;
	mutex_lock(&marker_mutex);
	marker_disconnect_table(table);
	marker_registry_del_table(table, false);
	mutex_unlock(&marker_mutex);
	marker_probe_settle_all();
}

/*
 * Restore the text of all modules, whose code continues to run.  Without the lock, a module may go
 * meanwhile, with its table.
 */
static void del_all(void)
{
	struct marker_table *table;

	/* Nothing is connected, because a connected probe's module pins this one. */
	mutex_lock(&marker_mutex);
	is_ending = true;
	while ((table = list_first_entry_or_null(&marker_tables, struct marker_table, list))) {
		if (!marker_registry_del_table(table, true))
			continue;
		mutex_unlock(&marker_mutex);
		msleep(1000);
		mutex_lock(&marker_mutex);
	}
	mutex_unlock(&marker_mutex);
}

static int notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_COMING || state == MODULE_STATE_LIVE)
		add_gates(mod);
	if (state == MODULE_STATE_COMING)
		add(mod, true);
	else if (state == MODULE_STATE_GOING)
		del(mod);
	/* When markers.ko was loaded, the module may have been between COMING and sysfs. */
	else if (state == MODULE_STATE_LIVE && !marker_module_drop_init(mod))
		add(mod, false);
	if (state == MODULE_STATE_GOING)
		del_gates(mod);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = notify };

static void add_loaded(struct module *mod)
{
	add(mod, false);
}

int marker_module_init(void)
{
	int ret = register_module_notifier(&notifier);

	if (ret)
		return ret;
	add_debug(NULL, false);
	ret = marker_module_walk(add_gates);
	if (!ret)
		ret = marker_module_walk(add_loaded);
	if (ret)
		unregister_module_notifier(&notifier);
	return ret;
}

void marker_module_exit(void)
{
	del_all();
	unregister_module_notifier(&notifier);
}
