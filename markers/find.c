// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the section tables of a module are, in a stock kernel.
 *
 * They are found through the module's own symbol table, by the names that
 * markers.lds defines, so that instrumented code needs nothing of markers.ko
 * and is free to be loaded and unloaded without it.
 */
#include <linux/rcupdate.h>
#include "find.h"

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

bool find_bounds(const struct module *mod, struct marker_bounds *bounds)
{
	const struct bound wanted[] = {
		{ "sites", &bounds->sites }, { "sites_end", &bounds->sites_end },
		{ "gates", &bounds->gates }, { "gates_end", &bounds->gates_end },
		{ "calls", &bounds->calls }, { "calls_end", &bounds->calls_end },
		{ "abi", &bounds->abi }, { "abi_end", &bounds->abi_end },
		{ }
	};
	const struct mod_kallsyms *syms;
	unsigned int i;

	*bounds = (struct marker_bounds){ };
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
	return bounds->sites < bounds->sites_end;
}
