// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the descriptors of debug sites are.  A module has them side by side in one section, the
 * one of its symbols "__UNIQUE_ID_ddebug*", or "descriptor*" of dev_dbg_ratelimited() and others.
 * Those of the kernel lie between two symbols.
 */
#include <linux/jump_label.h>
#include "debug_range.h"
#include "kernel_data.h"
#include "module_tables.h"
#include "nofault.h"
#include "owner.h"

#define TEXT_MAX	1024	/* bytes of the longest text of a descriptor */

struct bounds {
	struct _ddebug *first;
	unsigned int n;
};

static int refuse(struct module *mod, const char *what, const void *at)
{
	pr_err("%s: damaged table of debug sites: %s at %pS\n", module_name(mod), what, at);
	return -EINVAL;
}

static bool is_descriptor(const struct mod_kallsyms *syms, const Elf_Sym *sym)
{
	const char *name = syms->strtab + sym->st_name;

	return sym->st_shndx != SHN_UNDEF && sym->st_size == sizeof(struct _ddebug) &&
	       (str_has_prefix(name, "__UNIQUE_ID_ddebug") || str_has_prefix(name, "descriptor"));
}

/* The section of the descriptors; SHN_UNDEF: the module has none. */
static unsigned int find_section(const struct mod_kallsyms *syms)
{
	const Elf_Sym *sym;

	for (sym = syms->symtab; sym < syms->symtab + syms->num_symtab; sym++)
		if (is_descriptor(syms, sym))
			return sym->st_shndx;
	return SHN_UNDEF;
}

static int find_in_module(struct module *mod, struct bounds *bounds)
{
	unsigned long first = ULONG_MAX, last = 0, value;
	const struct mod_kallsyms *syms;
	unsigned int i, n = 0, section;
	bool fits = true;

	/* When its init is over, a module gets another, shorter table. */
	rcu_read_lock();
	syms = rcu_dereference(mod->kallsyms);
	section = syms ? find_section(syms) : SHN_UNDEF;
	for (i = 0; section != SHN_UNDEF && i < syms->num_symtab; i++) {
		/* The section itself may be a symbol, without a size. */
		if (syms->symtab[i].st_shndx != section || !syms->symtab[i].st_size)
			continue;
		value = syms->symtab[i].st_value;
		first = min(first, value);
		last = max(last, value);
		fits &= syms->symtab[i].st_size == sizeof(struct _ddebug);
		n++;
	}
	rcu_read_unlock();
	*bounds = (struct bounds){ n ? (struct _ddebug *)first : NULL, n };
	if (n && (!fits || last - first != (n - 1) * sizeof(struct _ddebug) ||
		  !marker_owner_has(mod, (void *)first) || !marker_owner_has(mod, (void *)last)))
		return refuse(mod, "expected entries side by side within the module, found some",
			      (void *)first);
	return 0;
}

static int find_in_kernel(struct bounds *bounds)
{
	struct _ddebug *start = marker_kernel_data("__start___dyndbg");
	struct _ddebug *stop = marker_kernel_data("__stop___dyndbg");

	if (!start || !stop || stop < start)
		return -EOPNOTSUPP;
	*bounds = (struct bounds){ start, stop - start };
	return 0;
}

static bool is_text(const char *text)
{
	return marker_nofault_strnlen(text, TEXT_MAX) < TEXT_MAX;
}

/* Names are parts of the names of files. */
static bool is_name(const char *name)
{
	if (!is_text(name) || !*name)
		return false;
	while (*name > ' ' && *name < 0x7f && *name != '/')
		name++;
	return !*name;
}

static int check(struct module *mod, const struct _ddebug *d)
{
	if (!is_name(d->modname) || !is_name(d->function))
		return refuse(mod, "expected names of a module and a function, found others", d);
	if (!is_text(d->filename) || !is_text(d->format))
		return refuse(mod, "expected texts of a file and a format, found others", d);
	return 0;
}

static int compare_functions(const struct _ddebug *a, const struct _ddebug *b)
{
	return strcmp(a->modname, b->modname) ?: strcmp(a->function, b->function);
}

static int compare(const void *one, const void *other)
{
	const struct _ddebug *a = ((const struct marker_debug_entry *)one)->descriptor;
	const struct _ddebug *b = ((const struct marker_debug_entry *)other)->descriptor;

	return compare_functions(a, b) ?: strcmp(a->filename, b->filename) ?:
	       (int)a->lineno - (int)b->lineno ?: (a < b ? -1 : a > b);
}

static bool is_of_function(const struct marker_debug_range *range, unsigned int i, unsigned int k)
{
	return k < range->n && !compare_functions(range->entries[i].descriptor,
						  range->entries[k].descriptor);
}

static void number(struct marker_debug_range *range)
{
	unsigned int i;

	for (i = 0; i < range->n; i++)
		if (i && is_of_function(range, i, i - 1))
			range->entries[i].number = range->entries[i - 1].number + 1;
		else
			range->entries[i].number = is_of_function(range, i, i + 1);
}

int marker_debug_range_get(struct marker_debug_range *range, struct module *mod)
{
	struct bounds bounds = { };
	unsigned int i;
	int ret = mod ? find_in_module(mod, &bounds) : find_in_kernel(&bounds);

	*range = (struct marker_debug_range){ .mod = mod };
	if (ret || !bounds.n)
		return ret;
	range->jumps_end = mod ? mod->jump_entries + mod->num_jump_entries :
				 marker_kernel_data("__stop___jump_table");
	range->entries = kvmalloc_array(bounds.n, sizeof(*range->entries), GFP_KERNEL);
	if (!range->entries)
		return -ENOMEM;
	for (i = 0; i < bounds.n && !ret; i++) {
		ret = check(mod, bounds.first + i);
		range->entries[i] = (struct marker_debug_entry){ bounds.first + i };
	}
	if (ret) {
		kvfree(range->entries);
		range->entries = NULL;
		return ret;
	}
	range->n = bounds.n;
	sort(range->entries, range->n, sizeof(*range->entries), compare, NULL);
	number(range);
	return 0;
}

void marker_debug_range_put(struct marker_debug_range *range)
{
	kvfree(range->entries);
}

struct walk {
	int (*visit)(const struct marker_debug_range *range, void *data);
	void *data;
};

/* A module whose table is damaged is passed over: the log names it. */
static int visit_module(struct module *mod, void *data)
{
	struct marker_debug_range range;
	const struct walk *walk = data;
	int ret = marker_debug_range_get(&range, mod);

	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (range.n)
		ret = walk->visit(&range, walk->data);
	marker_debug_range_put(&range);
	cond_resched();
	return ret;
}

int marker_debug_range_visit(int (*visit)(const struct marker_debug_range *range, void *data),
			     void *data)
{
	struct walk walk = { visit, data };

	return visit_module(NULL, &walk) ?: marker_module_visit(visit_module, &walk);
}

void marker_debug_name(const struct marker_debug_entry *entry, char *name, size_t size)
{
	const struct _ddebug *d = entry->descriptor;
	size_t len = scnprintf(name, size, "debug_%s/%s", d->modname, d->function);

	if (entry->number)
		scnprintf(name + len, size - len, "_%u", entry->number);
}

struct marker_debug_place marker_debug_place_of(const struct _ddebug *d)
{
	return (struct marker_debug_place){
		.module = d->modname,
		.function = d->function,
		.file = d->filename,
		.format = d->format,
		.line = d->lineno,
	};
}
