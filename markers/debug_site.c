// SPDX-License-Identifier: GPL-2.0-only
/* Debug sites join the registry, and leave it with their module; see debug_site.h. */
#include <linux/jump_label.h>
#include "debug_calls.h"
#include "debug_event.h"
#include "debug_key.h"
#include "debug_kprobe.h"
#include "debug_range.h"
#include "debug_site.h"
#include "marker_abi.h"
#include "marker_probe.h"
#include "name.h"
#include "quiesce.h"
#include "registry.h"
#include "selector.h"

/* A selection of debug sites of one module, and the sites of it that were refused. */
struct selection {
	const struct marker_selector *selector;
	const struct marker_debug_range *range;
	unsigned int nrefused;
	char refused[MARKER_NAME_SIZE];		/* the first one */
	const char *why;
	const void *other;			/* the function that it calls, or NULL */
};

/* The calls of a site; none: a kprobe records it. */
struct found {
	unsigned int n;
	struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX];
};

static bool selects(const struct marker_selector *selector, const char *name,
		    const struct _ddebug *descriptor)
{
	const struct marker_debug_place place = marker_debug_place_of(descriptor);

	if (selector->also && marker_name_is(name, selector->also))
		return true;
	switch (selector->kind) {
	case SELECT_NAME:
		return marker_name_is(name, selector->text);
	case SELECT_GLOB:
		return marker_name_matches(name, selector->text);
	case SELECT_DEBUG:
		return marker_debug_query_matches(selector->text, &place);
	default:
		return false;
	}
}

/* True if a site is selected, not registered yet, and can be recorded; finds its calls. */
static bool find_calls(struct selection *s, const struct marker_debug_entry *entry,
		       struct found *found)
{
	char name[MARKER_NAME_SIZE];
	const char *why;

	if (marker_debug_site_of(entry->descriptor))
		return false;
	marker_debug_name(entry, name, sizeof(name));
	if (!selects(s->selector, name, entry->descriptor))
		return false;
	why = marker_debug_calls_find(s->range, entry->descriptor, found->calls, &found->n);
	if (!why)
		return true;
	if (!s->nrefused++) {
		strscpy(s->refused, name, sizeof(s->refused));
		s->why = why;
		s->other = found->calls[0].other;
	}
	return false;
}

/* Return the line of @descriptor, or the largest line that an entry can hold. */
static u16 line_of(const struct _ddebug *descriptor)
{
	return min_t(unsigned int, descriptor->lineno, U16_MAX);
}

static struct marker_debug_site *make_site(const struct marker_debug_entry *entry,
					   const struct found *found)
{
	const struct marker_debug_call *call = &found->calls[0];
	const char *source = call->format ?: entry->descriptor->format;
	char *text = kmalloc(MARKER_FORMAT_SIZE, GFP_KERNEL), name[MARKER_NAME_SIZE];
	struct marker_debug_format format;
	struct marker_debug_site *site;
	size_t len;

	if (!text)
		return NULL;
	marker_debug_name(entry, name, sizeof(name));
	marker_debug_format_make(&format, text, source, call->function->nprefix);
	len = strlen(name) + 1;
	site = kzalloc(sizeof(*site) + len + strlen(text) + 1, GFP_KERNEL);
	if (site) {
		memcpy(site->name, name, len);
		strcpy(site->name + len, text);
		site->descriptor = entry->descriptor;
		site->function = call->function;
		site->source = source;
		site->by_kprobe = !found->n;
		if (found->n)
			site->known = source;
		if (found->n && !format.ntexts && format.nwords <= MARKER_ARGS_REGS)
			site->quick_source = source;
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

/* A site without calls that could be diverted has one gate, which is no code. */
static unsigned int gates_of(const struct found *found)
{
	return found->n ?: 1;
}

static void fill_gate(struct marker_gate_state *gate, const struct marker_debug_call *call)
{
	gate->code = call->code;
	gate->cold = (u8 *)call->function->divert;
	gate->to = (u8 *)call->function->function;
	gate->kind = call->is_tail ? MARKER_GATE_DEBUG_TAIL : MARKER_GATE_DEBUG;
	gate->built = gate->kind;
}

static void fill_kprobe_gate(struct marker_gate_state *gate)
{
	gate->kind = MARKER_GATE_DEBUG_KPROBE;
	gate->built = gate->kind;
}

static int take_kprobe(const struct marker_debug_site *site)
{
	int ret = marker_debug_kprobe_get(site->function);

	if (ret)
		pr_err("debug site %s: no kprobe at %ps(): %pe\n", site->name,
		       site->function->function, ERR_PTR(ret));
	return ret;
}

static int fill_site(struct marker_table *table, const struct marker_debug_entry *entry,
		     const struct found *found)
{
	struct marker_site_state *site = &table->sites[table->nsites];
	struct marker_debug_site *made = make_site(entry, found);
	unsigned int i;
	int ret;

	if (!made)
		return -ENOMEM;
	ret = made->by_kprobe ? take_kprobe(made) : 0;
	if (ret) {
		kfree(made);
		return ret;
	}
	site->entry = &made->entry;
	site->table = table;
	INIT_LIST_HEAD(&site->changed);
	site->gates = table->gates + table->ngates;
	site->ngates = gates_of(found);
	for (i = 0; i < found->n; i++)
		fill_gate(&site->gates[i], &found->calls[i]);
	if (!found->n)
		fill_kprobe_gate(site->gates);
	table->nsites++;
	table->ngates += site->ngates;
	marker_debug_site_learn(made);
	return 0;
}

static int fill(struct marker_table *table, struct selection *s)
{
	struct found found;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < s->range->n && !ret; i++) {
		if (find_calls(s, &s->range->entries[i], &found))
			ret = fill_site(table, &s->range->entries[i], &found);
		cond_resched();
	}
	return ret;
}

/* Allocate a table for the selected sites that can be used. */
static struct marker_table *alloc_table(struct selection *s)
{
	unsigned int i, nsites = 0, ngates = 0;
	struct marker_table *table;
	struct found found;

	for (i = 0; i < s->range->n; i++) {
		if (find_calls(s, &s->range->entries[i], &found)) {
			nsites++;
			ngates += gates_of(&found);
		}
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
	char function[MARKER_NAME_SIZE] = "", more[64] = "";

	if (!s->nrefused)
		return;
	if (s->other)
		scnprintf(function, sizeof(function), ": %ps()", s->other);
	if (s->nrefused > 1)
		scnprintf(more, sizeof(more), "; nor can %u more of this selector, see debug_sites",
			  s->nrefused - 1);
	pr_warn("debug site %s cannot be recorded: %s%s%s\n", s->refused, s->why, function, more);
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

/* State of a walk through all modules: number of added sites, and whether any was refused. */
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

unsigned long marker_debug_missed(void)
{
	return marker_debug_event_missed() + marker_debug_kprobe_missed();
}
