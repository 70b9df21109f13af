// SPDX-License-Identifier: GPL-2.0-only
/*
 * The modules of a stock kernel, and the places of their section tables.
 *
 * The module's own symbol table has the places, by the names that markers.lds defines. So
 * instrumented code needs nothing of markers.ko, and can be loaded and unloaded without it.
 */
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include "module_tables.h"

/* The symbols that markers.lds defines all begin so. */
#define PREFIX "__marker_"

struct bound {
	const char *name;	/* behind the prefix */
	void *at;		/* in a struct marker_bounds */
};

static void take_bound(const struct bound *bounds, const char *name, unsigned long value)
{
	for (; bounds->name; bounds++)
		if (!strcmp(bounds->name, name))
			*(unsigned long *)bounds->at = value;
}

static void take_bounds(const struct module *mod, const struct bound *wanted)
{
	const struct mod_kallsyms *syms;
	unsigned int i;

	/* When its init is over, a module gets another, shorter table. */
	rcu_read_lock();
	syms = rcu_dereference(mod->kallsyms);
	for (i = 0; syms && i < syms->num_symtab; i++) {
		const Elf_Sym *sym = &syms->symtab[i];
		const char *name = syms->strtab + sym->st_name;

		if (sym->st_shndx != SHN_UNDEF && !strncmp(name, PREFIX, strlen(PREFIX)))
			take_bound(wanted, name + strlen(PREFIX), sym->st_value);
	}
	rcu_read_unlock();
}

const struct marker_gate_ops *marker_module_find_gates(const struct module *mod)
{
	const struct marker_gate_ops *ops = NULL;
	const struct bound wanted[] = {
		{ &__stringify(MARKER_GATE_OPS)[strlen(PREFIX)], &ops }, { }
	};

	take_bounds(mod, wanted);
	return ops;
}

bool marker_module_find_tables(const struct module *mod, struct marker_bounds *bounds)
{
	const struct marker_bounds *in_text = NULL;	/* MARKER_KEEP_BOUNDS */
	const struct bound wanted[] = {
		{ "sites", &bounds->sites }, { "sites_end", &bounds->sites_end },
		{ "gates", &bounds->gates }, { "gates_end", &bounds->gates_end },
		{ "calls", &bounds->calls }, { "calls_end", &bounds->calls_end },
		{ "abi", &bounds->abi }, { "abi_end", &bounds->abi_end },
		{ "bounds", &in_text },
		{ }
	};

	*bounds = (struct marker_bounds){ };
	take_bounds(mod, wanted);
	if (in_text)
		*bounds = *in_text;
	return bounds->sites < bounds->sites_end;
}

/*
 * Return the first module behind @after in /sys/module (NULL: of all), pinned, or NULL; @after is
 * still pinned. The list of modules is not exported; the list of their kobjects can be reached.
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

int marker_module_visit(int (*visit)(struct module *mod, void *data), void *data)
{
	struct module *mod, *next;
	int ret = 0;

	for (mod = next_loaded(NULL); mod; mod = next) {
		if (!ret)
			ret = visit(mod, data);
		next = ret ? NULL : next_loaded(mod);
		module_put(mod);
	}
	return ret;
}

static int add_one(struct module *mod, void *data)
{
	void (**add)(struct module *mod) = data;

	(*add)(mod);
	return 0;
}

int marker_module_walk(void (*add)(struct module *mod))
{
	/*
	 * Without CONFIG_KALLSYMS_ALL a module loses its symbols of data, and with them its
	 * tables, when its init ends.
	 */
	if (!IS_ENABLED(CONFIG_KALLSYMS_ALL) && !MARKER_BOUNDS_IN_TEXT) {
		pr_err("built for a kernel without CONFIG_KALLSYMS_ALL, which hides the markers of loaded modules: not loaded\n");
		return -EOPNOTSUPP;
	}
	return marker_module_visit(add_one, &add);
}
