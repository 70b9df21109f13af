// SPDX-License-Identifier: GPL-2.0-only
/* Reads the section tables of a module; marker_abi.h describes the entries. */
#include "debug_site.h"
#include "owner.h"
#include "table.h"
#include "table_check.h"

/* Place of each entry's site in table->sites, plus one. */
struct slots {
	u32 *slot;
	u32 used;
};

static struct marker_table *alloc_table(struct module *mod,
					const struct marker_bounds *bounds)
{
	struct marker_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;
	table->mod = mod;
	table->nsites = bounds->sites_end - bounds->sites;
	table->ngates = bounds->gates_end - bounds->gates;
	table->ncalls = bounds->calls_end - bounds->calls;
	table->sites = kvcalloc(table->nsites, sizeof(*table->sites), GFP_KERNEL);
	table->gates = kvcalloc(table->ngates, sizeof(*table->gates), GFP_KERNEL);
	table->calls = kvcalloc(table->ncalls, sizeof(*table->calls), GFP_KERNEL);
	if (table->sites && table->gates && table->calls)
		return table;
	table->ngates = 0;
	marker_table_free(table);
	return NULL;
}

void marker_table_free(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->ngates; i++)
		if (table->gates[i].pad)
			marker_pad_free(table->gates[i].pad);
	marker_debug_free(table);
	kvfree(table->sites);
	kvfree(table->gates);
	kvfree(table->calls);
	kfree(table);
}

void marker_site_report_refused(const struct marker_site_state *site)
{
	const struct marker_site *entry = site->entry;

	pr_err("%s: %s (%s:%u) is not used: expected a registered kind of gate, found %u: load the module that registers it before this one (up to %u: marker_gates)\n",
	       module_name(site->table->mod), entry->name, entry->file, entry->line, entry->kind,
	       MARKER_GATE_OTHERS_LAST);
}

static void init_site(struct marker_table *table, struct marker_site *entry, u32 slot)
{
	struct marker_site_state *site = &table->sites[slot];

	site->entry = entry;
	site->table = table;
	INIT_LIST_HEAD(&site->changed);
	site->refused = !marker_gate_ops(entry->kind);
	if (site->refused)
		marker_site_report_refused(site);
}

/* The number of the entry that a gate or call points at, in the section table. */
static long entry_number(const struct marker_table *table, const struct marker_bounds *bounds,
			 const s32 *offset)
{
	unsigned long at = marker_offset_ptr(offset) - (void *)bounds->sites;

	if (at < table->nsites * sizeof(*bounds->sites) && !(at % sizeof(*bounds->sites)))
		return at / sizeof(*bounds->sites);
	pr_err("%s: invalid marker tables: expected an entry of %zu bytes in %u, found one at %ld\n",
	       module_name(table->mod), sizeof(*bounds->sites), table->nsites, (long)at);
	return -EINVAL;
}

/*
 * Order the sites by their gates, which is the order of the text; the compiler writes the entries
 * in any order.
 */
static int place_sites(struct marker_table *table, const struct marker_bounds *bounds,
		       struct slots *slots)
{
	const struct marker_gate *gate;
	struct marker_site *entry;
	long number;
	u32 *slot;

	for (gate = bounds->gates; gate < bounds->gates_end; gate++) {
		number = entry_number(table, bounds, &gate->site);
		if (number < 0)
			return number;
		slot = &slots->slot[number];
		if (!*slot)
			*slot = ++slots->used;
	}
	for (entry = bounds->sites; entry < bounds->sites_end; entry++) {
		slot = &slots->slot[entry - bounds->sites];
		if (!*slot)
			*slot = ++slots->used;
		init_site(table, entry, *slot - 1);
	}
	return 0;
}

/* The site of a gate or call entry that has been checked. */
static struct marker_site_state *owner(struct marker_table *table,
				       const struct marker_bounds *bounds,
				       const struct slots *slots, const s32 *offset)
{
	const struct marker_site *entry = marker_offset_ptr(offset);

	return &table->sites[slots->slot[entry - bounds->sites] - 1];
}

/* Counts the gates and calls of each site that is used, and gives it room in the arrays. */
static int share_out(struct marker_table *table, const struct marker_bounds *bounds,
		     const struct slots *slots)
{
	const struct marker_gate *gate;
	const struct marker_call *call;
	struct marker_gate_state *gates = table->gates;
	struct marker_call_state *calls = table->calls;
	struct marker_site_state *site;

	for (gate = bounds->gates; gate < bounds->gates_end; gate++) {
		site = owner(table, bounds, slots, &gate->site);
		site->ngates += !site->refused;
	}
	for (call = bounds->calls; call < bounds->calls_end; call++) {
		if (entry_number(table, bounds, &call->site) < 0)
			return -EINVAL;
		site = owner(table, bounds, slots, &call->site);
		site->ncalls += !site->refused;
	}
	for (site = table->sites; site < table->sites + table->nsites; site++) {
		site->gates = gates;
		site->calls = calls;
		gates += site->ngates;
		calls += site->ncalls;
		site->ngates = 0;
		site->ncalls = 0;
	}
	table->ngates = gates - table->gates;
	table->ncalls = calls - table->calls;
	return 0;
}

/* Init text is freed when the init of its module is done. */
static bool is_gone(const struct marker_site_state *site, const void *code)
{
	const struct module *mod = site->table->mod;

	return !marker_owner_has(mod, code) &&
	       (marker_owner_init_is_over(mod) || !marker_owner_has_init(mod, code));
}

static void fill_gate(struct marker_site_state *site, const struct marker_gate *entry)
{
	struct marker_gate_state *gate;

	if (site->refused)
		return;
	gate = &site->gates[site->ngates++];
	gate->code = marker_offset_ptr(&entry->code);
	gate->gone = is_gone(site, gate->code);
	gate->cold = marker_offset_ptr(&entry->cold);
	gate->built = marker_gate_kind(entry);
	gate->kind = marker_gate_kind_built(gate->built);
}

static void fill_call(struct marker_site_state *site, const struct marker_call *entry)
{
	struct marker_call_state *call;

	if (site->refused)
		return;
	call = &site->calls[site->ncalls++];
	call->code = marker_offset_ptr(&entry->code);
	call->gone = is_gone(site, call->code);
	if (call->gone)
		return;
	call->to = marker_gate_decode_call(call->code);
	/* A call that an earlier markers.ko left behind may lead to freed memory. */
	if (call->to && (marker_owner_has(site->table->mod, call->to) ||
			 marker_owner_has_init(site->table->mod, call->to)))
		call->none = marker_gate_none_of_call(call->to);
}

/*
 * Set the empty stub of each call. A call without a stub uses the stub of another call, because
 * all stubs do nothing.
 */
static void fill_nones(struct marker_table *table)
{
	u8 *none = NULL;
	unsigned int i;

	for (i = 0; i < table->ncalls && !none; i++)
		none = table->calls[i].none;
	for (i = 0; i < table->ncalls; i++)
		table->calls[i].none = table->calls[i].none ?: none;
}

static int fill(struct marker_table *table, const struct marker_bounds *bounds,
		struct slots *slots)
{
	const struct marker_gate *gate;
	const struct marker_call *call;
	int ret;

	ret = place_sites(table, bounds, slots);
	if (ret)
		return ret;
	ret = share_out(table, bounds, slots);
	if (ret)
		return ret;
	for (gate = bounds->gates; gate < bounds->gates_end; gate++)
		fill_gate(owner(table, bounds, slots, &gate->site), gate);
	for (call = bounds->calls; call < bounds->calls_end; call++)
		fill_call(owner(table, bounds, slots, &call->site), call);
	fill_nones(table);
	return 0;
}

struct marker_table *marker_table_make(struct module *mod, const struct marker_bounds *bounds)
{
	int ret = marker_table_check_sites(mod, bounds);
	struct marker_table *table;
	struct slots slots = { };

	if (ret)
		return ERR_PTR(ret);
	table = alloc_table(mod, bounds);
	if (table)
		slots.slot = kvcalloc(table->nsites, sizeof(*slots.slot), GFP_KERNEL);
	ret = slots.slot ? fill(table, bounds, &slots) : -ENOMEM;
	kvfree(slots.slot);
	if (!ret)
		ret = marker_table_check_code(table);
	if (!ret)
		return table;
	if (table)
		marker_table_free(table);
	return ERR_PTR(ret);
}

/* True if the code of the gate is text that is run, or read. */
static bool is_in_text(const struct marker_gate_state *gate)
{
	return marker_gate_kind_is_code(gate->kind) || gate->kind == MARKER_GATE_KPROBE ||
	       gate->kind == MARKER_GATE_SWITCH;
}

void marker_table_drop_init(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->ngates; i++)
		table->gates[i].gone |= is_in_text(&table->gates[i]) &&
			marker_owner_has_init(table->mod, table->gates[i].code);
	for (i = 0; i < table->ncalls; i++)
		table->calls[i].gone |= marker_owner_has_init(table->mod, table->calls[i].code);
}
