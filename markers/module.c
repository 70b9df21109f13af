// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules with markers, whether they are loaded before or after this one.
 *
 * Their tables are found through the module's own symbol table, by the names
 * that markers.lds defines, so that instrumented code needs nothing of
 * markers.ko and is free to be loaded and unloaded without it.
 *
 * Locks: takes markers_mutex.
 */
#include <linux/kobject.h>
#include <linux/rcupdate.h>
#include "connection.h"
#include "module.h"
#include "registry.h"

static unsigned long find_symbol(const struct module *mod, const char *name)
{
	const struct mod_kallsyms *syms;
	unsigned long value = 0;
	unsigned int i;

	/* When its init is over, a module gets another, shorter table. */
	rcu_read_lock();
	syms = rcu_dereference(mod->kallsyms);
	for (i = 0; syms && i < syms->num_symtab && !value; i++) {
		const Elf_Sym *sym = &syms->symtab[i];

		if (sym->st_shndx != SHN_UNDEF && !strcmp(syms->strtab + sym->st_name, name))
			value = sym->st_value;
	}
	rcu_read_unlock();
	return value;
}

static bool find_bounds(const struct module *mod, struct marker_bounds *bounds)
{
	bounds->sites = (void *)find_symbol(mod, "__marker_sites");
	if (!bounds->sites)
		return false;
	bounds->sites_end = (void *)find_symbol(mod, "__marker_sites_end");
	bounds->gates = (void *)find_symbol(mod, "__marker_gates");
	bounds->gates_end = (void *)find_symbol(mod, "__marker_gates_end");
	bounds->calls = (void *)find_symbol(mod, "__marker_calls");
	bounds->calls_end = (void *)find_symbol(mod, "__marker_calls_end");
	return bounds->sites < bounds->sites_end;
}

static void del(struct marker_table *table, bool running)
{
	connection_del_sites(table, running);
	registry_del_table(table, running);
}

/* @quiet: its init has not begun. */
static void add(struct module *mod, bool quiet)
{
	struct marker_bounds bounds;
	struct marker_table *table;

	mutex_lock(&markers_mutex);
	if (!registry_find_table(mod) && find_bounds(mod, &bounds) &&
	    !registry_add_table(mod, &bounds, quiet)) {
		table = registry_find_table(mod);
		connection_add_sites(table);
		if (mod->state == MODULE_STATE_LIVE)
			table_drop_init(table);
	}
	mutex_unlock(&markers_mutex);
}

static int notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;
	struct marker_table *table;

	if (state == MODULE_STATE_COMING) {
		add(mod, true);
		return NOTIFY_OK;
	}
	mutex_lock(&markers_mutex);
	table = registry_find_table(mod);
	if (table && state == MODULE_STATE_GOING)
		del(table, false);
	else if (table && state == MODULE_STATE_LIVE)
		table_drop_init(table);
	mutex_unlock(&markers_mutex);
	/* It was between its COMING and sysfs when this module was loaded. */
	if (!table && state == MODULE_STATE_LIVE)
		add(mod, false);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = notify };

/*
 * The first module behind @after in /sys/module (NULL: of all), pinned, or
 * NULL; @after is still pinned.  The list of modules itself is not exported;
 * that of their kobjects is reachable.
 */
static struct module *next_loaded(struct module *after)
{
	struct kset *kset = THIS_MODULE->mkobj.kobj.kset;
	struct module *found = NULL;
	struct kobject *kobj;

	spin_lock(&kset->list_lock);
	kobj = after ? &after->mkobj.kobj : list_entry(&kset->list, struct kobject, entry);
	list_for_each_entry_continue(kobj, &kset->list, entry) {
		struct module *mod = container_of(kobj, struct module_kobject, kobj)->mod;

		if (mod && mod != THIS_MODULE && try_module_get(mod)) {
			found = mod;
			break;
		}
	}
	spin_unlock(&kset->list_lock);
	return found;
}

int modules_init(void)
{
	struct module *mod, *next;
	int ret = register_module_notifier(&notifier);

	if (ret)
		return ret;
	for (mod = next_loaded(NULL); mod; mod = next) {
		add(mod, false);
		next = next_loaded(mod);
		module_put(mod);
	}
	return 0;
}

void modules_exit(void)
{
	struct marker_table *table, *tmp;

	unregister_module_notifier(&notifier);
	mutex_lock(&markers_mutex);
	list_for_each_entry_safe(table, tmp, &marker_tables, list)
		del(table, true);
	mutex_unlock(&markers_mutex);
}
