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

bool find_bounds(const struct module *mod, struct marker_bounds *bounds)
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
