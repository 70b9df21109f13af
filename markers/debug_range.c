// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the descriptors of debug sites are.  Those of a module have the static keys of its jump
 * table, among other keys.  Those of the kernel lie between two symbols, which are found if the
 * kernel has CONFIG_KALLSYMS_ALL.
 */
#include <linux/jump_label.h>
#include "debug_range.h"
#include "kernel_data.h"
#include "module_tables.h"
#include "nofault.h"
#include "owner.h"

#define TEXT_MAX	1024	/* bytes of the longest text of a descriptor */

static int refuse(struct module *mod, const char *what, const void *at)
{
	pr_err("%s: damaged table of debug sites: %s at %pS\n", module_name(mod), what, at);
	return -EINVAL;
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

/*
 * True if a descriptor of that module is at @d, as it has the name of the module.  Else another
 * static key is there, and its surroundings may not even be memory of a variable.
 */
static bool is_descriptor(const struct _ddebug *d, const struct module *mod)
{
	char name[MODULE_NAME_LEN];
	const char *modname;

	if (!marker_owner_has(mod, d) ||
	    copy_from_kernel_nofault(&modname, &d->modname, sizeof(modname)))
		return false;
	marker_nofault_string((unsigned long)modname, name, sizeof(name));
	return !strcmp(name, mod->name);
}

/* The descriptor that has the static key of @jump; NULL: the key is another one. */
static struct _ddebug *descriptor_of(const struct jump_entry *jump, struct module *mod)
{
	struct _ddebug *d = container_of(jump_entry_key(jump), struct _ddebug,
					 key.dd_key_true.key);

	return is_descriptor(d, mod) ? d : NULL;
}

/* The descriptors of a module, into @entries unless that is NULL; their number. */
static unsigned int list_of_module(struct module *mod, struct marker_debug_entry *entries)
{
	const struct jump_entry *jump = mod->jump_entries, *last = NULL;
	struct _ddebug *d;
	unsigned int n = 0;

	for (; jump < mod->jump_entries + mod->num_jump_entries; last = jump++) {
		/* The entries of a key are side by side. */
		if (last && jump_entry_key(last) == jump_entry_key(jump))
			continue;
		d = descriptor_of(jump, mod);
		if (d && entries)
			entries[n] = (struct marker_debug_entry){ d };
		n += !!d;
	}
	return n;
}

static unsigned int list_of_kernel(struct marker_debug_entry *entries)
{
	struct _ddebug *start = marker_kernel_data("__start___dyndbg");
	struct _ddebug *stop = marker_kernel_data("__stop___dyndbg");
	unsigned int i, n = start && stop > start ? stop - start : 0;

	for (i = 0; entries && i < n; i++)
		entries[i] = (struct marker_debug_entry){ start + i };
	return n;
}

static unsigned int list(struct module *mod, struct marker_debug_entry *entries)
{
	return mod ? list_of_module(mod, entries) : list_of_kernel(entries);
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
	unsigned int i;
	int ret = 0;

	*range = (struct marker_debug_range){ .mod = mod, .n = list(mod, NULL) };
	if (!range->n)
		return 0;
	range->jumps_end = mod ? mod->jump_entries + mod->num_jump_entries :
				 marker_kernel_data("__stop___jump_table");
	range->entries = kvmalloc_array(range->n, sizeof(*range->entries), GFP_KERNEL);
	if (!range->entries)
		return -ENOMEM;
	list(mod, range->entries);
	for (i = 0; i < range->n && !ret; i++)
		ret = check(mod, range->entries[i].descriptor);
	if (ret) {
		kvfree(range->entries);
		return ret;
	}
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
