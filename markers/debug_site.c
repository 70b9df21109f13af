// SPDX-License-Identifier: GPL-2.0-only
/* Debug sites join the registry, and leave it with their module; see debug_site.h. */
#include <linux/jump_label.h>
#include "debug_calls.h"
#include "debug_event.h"
#include "debug_key.h"
#include "debug_range.h"
#include "debug_site.h"
#include "quiesce.h"
#include "registry.h"
#include "selector.h"
#include "table_check.h"

/* A selection of debug sites of one module, and the sites of it that were refused. */
struct selection {
	const struct marker_selector *selector;
	const struct marker_debug_range *range;
	unsigned int nrefused;
	char refused[MARKER_NAME_SIZE];		/* the first one */
	const char *why;
};

static bool selects(const struct marker_selector *selector, const char *name,
		    const struct _ddebug *descriptor)
{
	const struct marker_debug_place place = marker_debug_place_of(descriptor);

	if (selector->also && !strcmp(selector->also, name))
		return true;
	switch (selector->kind) {
	case SELECT_NAME:
		return !strcmp(selector->text, name);
	case SELECT_GLOB:
		return glob_match(selector->text, name);
	case SELECT_DEBUG:
		return marker_debug_query_matches(selector->text, &place);
	default:
		return false;
	}
}

/* The calls of a site that is selected and not known yet; their number. */
static unsigned int find_calls(struct selection *s, const struct marker_debug_entry *entry,
			       struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX])
{
	char name[MARKER_NAME_SIZE];
	unsigned int n;
	const char *why;

	if (marker_debug_site_of(entry->descriptor))
		return 0;
	marker_debug_name(entry, name, sizeof(name));
	if (!selects(s->selector, name, entry->descriptor))
		return 0;
	why = marker_debug_calls_find(s->range, entry->descriptor, calls, &n);
	if (!why)
		return n;
	if (!s->nrefused++) {
		strscpy(s->refused, name, sizeof(s->refused));
		s->why = why;
	}
	return 0;
}

/* Numbers beyond those that an entry has are cut. */
static u16 line_of(const struct _ddebug *descriptor)
{
	return min_t(unsigned int, descriptor->lineno, U16_MAX);
}

static struct marker_debug_site *make_site(const struct marker_debug_entry *entry,
					   const struct marker_debug_call *call)
{
	char *text = kmalloc(MARKER_FORMAT_SIZE, GFP_KERNEL), name[MARKER_NAME_SIZE];
	struct marker_debug_format format;
	struct marker_debug_site *site;
	size_t len;

	if (!text)
		return NULL;
	marker_debug_name(entry, name, sizeof(name));
	marker_debug_format_make(&format, text, call->format, call->function->nprefix);
	len = strlen(name) + 1;
	site = kzalloc(sizeof(*site) + len + strlen(text) + 1, GFP_KERNEL);
	if (site) {
		memcpy(site->name, name, len);
		strcpy(site->name + len, text);
		site->descriptor = entry->descriptor;
		site->source = call->format;
		if (!format.ntexts && format.nwords <= MARKER_ARGS_REGS)
			site->quick_source = call->format;
		site->format = format;
		site->entry = (struct marker_site){
			.name = site->name,
			.format = site->name + len,
			.file = entry->descriptor->filename,
			.types = format.types,
			.line = line_of(entry->descriptor),
			.kind = MARKER_GATE_DEBUG,
			.on = format.nprefix,
		};
	}
	kfree(text);
	return site;
}

static void fill_gate(struct marker_gate_state *gate, const struct marker_debug_call *call)
{
	gate->code = call->code;
	gate->cold = (u8 *)call->function->divert;
	gate->to = (u8 *)call->function->function;
	gate->kind = call->is_tail ? MARKER_GATE_DEBUG_TAIL : MARKER_GATE_DEBUG;
	gate->built = gate->kind;
}

static int fill_site(struct marker_table *table, const struct marker_debug_entry *entry,
		     const struct marker_debug_call *calls, unsigned int n)
{
	struct marker_site_state *site = &table->sites[table->nsites];
	struct marker_debug_site *made = make_site(entry, calls);
	unsigned int i;

	if (!made)
		return -ENOMEM;
	site->entry = &made->entry;
	site->table = table;
	INIT_LIST_HEAD(&site->changed);
	site->gates = table->gates + table->ngates;
	site->ngates = n;
	for (i = 0; i < n; i++)
		fill_gate(&site->gates[i], &calls[i]);
	table->nsites++;
	table->ngates += n;
	marker_debug_site_learn(made);
	return 0;
}

static int fill(struct marker_table *table, struct selection *s)
{
	struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX];
	unsigned int i, n;
	int ret = 0;

	for (i = 0; i < s->range->n && !ret; i++) {
		n = find_calls(s, &s->range->entries[i], calls);
		if (n)
			ret = fill_site(table, &s->range->entries[i], calls, n);
		cond_resched();
	}
	return ret;
}

/* Room for what is selected and can be used. */
static struct marker_table *alloc_table(struct selection *s)
{
	struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX];
	unsigned int i, n, nsites = 0, ngates = 0;
	struct marker_table *table;

	for (i = 0; i < s->range->n; i++) {
		n = find_calls(s, &s->range->entries[i], calls);
		nsites += !!n;
		ngates += n;
		cond_resched();
	}
	if (!nsites)
		return NULL;
	s->nrefused = 0;
	table = kzalloc(sizeof(*table), GFP_KERNEL);
	if (!table)
		return ERR_PTR(-ENOMEM);
	table->mod = s->range->mod;
	table->is_debug = true;
	table->sites = kvcalloc(nsites, sizeof(*table->sites), GFP_KERNEL);
	table->gates = kvcalloc(ngates, sizeof(*table->gates), GFP_KERNEL);
	if (table->sites && table->gates)
		return table;
	marker_table_free(table);
	return ERR_PTR(-ENOMEM);
}

static void report_refused(const struct selection *s)
{
	if (s->nrefused > 1)
		pr_warn("debug site %s cannot be recorded: %s; nor can %u more of this selector, see debug_sites\n",
			s->refused, s->why, s->nrefused - 1);
	else if (s->nrefused)
		pr_warn("debug site %s cannot be recorded: %s\n", s->refused, s->why);
}

/* The table of new sites, NULL or an error. */
static struct marker_table *make_table(struct selection *s)
{
	struct marker_table *table = alloc_table(s);
	int ret;

	if (!IS_ERR_OR_NULL(table)) {
		ret = fill(table, s);
		if (ret) {
			marker_table_free(table);
			table = ERR_PTR(ret);
		}
	}
	report_refused(s);
	return table;
}

static struct marker_table *add(struct selection *s, bool quiet)
{
	struct marker_table *table;
	int ret;

	lockdep_assert_held(&marker_mutex);
	if (!marker_may_patch)
		return NULL;
	table = make_table(s);
	if (IS_ERR_OR_NULL(table))
		return table;
	ret = marker_registry_insert_table(table, quiet);
	return ret ? ERR_PTR(ret) : table;
}

/* All of a walk: what was added, and whether anything was refused. */
struct adding {
	const struct marker_selector *selector;
	unsigned int added, refused;
};

static int add_selected(const struct marker_debug_range *range, void *data)
{
	struct adding *adding = data;
	struct selection s = { .selector = adding->selector, .range = range };
	struct marker_table *table = add(&s, false);

	adding->refused += s.nrefused;
	if (IS_ERR(table))
		return PTR_ERR(table);
	adding->added += table ? table->nsites : 0;
	return 0;
}

int marker_debug_add(const struct marker_selector *selector)
{
	struct adding adding = { .selector = selector };
	int ret;

	lockdep_assert_held(&marker_mutex);
	if (!marker_selector_may_be_debug(selector))
		return 0;
	ret = marker_debug_range_visit(add_selected, &adding);
	if (ret)
		return ret;
	return adding.refused && !adding.added &&
	       !marker_selector_next(selector, NULL, NULL) ? -EOPNOTSUPP : 0;
}

struct marker_table *marker_debug_add_of(struct module *mod,
					 const struct marker_selector *selector, bool quiet)
{
	struct marker_debug_range range;
	struct selection s = { .selector = selector, .range = &range };
	struct marker_table *table;

	lockdep_assert_held(&marker_mutex);
	if (!marker_selector_may_be_debug(selector) || marker_debug_range_get(&range, mod))
		return NULL;
	table = add(&s, quiet);
	marker_debug_range_put(&range);
	return IS_ERR(table) ? NULL : table;
}
