// SPDX-License-Identifier: GPL-2.0-only
/* Reads the section tables of a module; see site.h for what is in them. */
#include "owner.h"
#include "table.h"

/* Where in table->sites the site of each entry is, plus one. */
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
	table->gates = kvcalloc(table->ngates + 1, sizeof(*table->gates), GFP_KERNEL);
	table->calls = kvcalloc(table->ncalls + 1, sizeof(*table->calls), GFP_KERNEL);
	if (table->sites && table->gates && table->calls)
		return table;
	table->ngates = 0;
	table_free(table);
	return NULL;
}

void table_free(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->ngates; i++)
		if (table->gates[i].pad)
			pad_free(table->gates[i].pad);
	kvfree(table->sites);
	kvfree(table->gates);
	kvfree(table->calls);
	kfree(table);
}

static int init_site(struct marker_table *table, struct marker_site *entry, u32 slot)
{
	struct site *site = &table->sites[slot];

	site->entry = entry;
	site->table = table;
	INIT_LIST_HEAD(&site->changed);
	return entry->kind < MARKER_GATE_KINDS ? 0 : -EINVAL;
}

/*
 * Gives each site its place: in the order of their gates, which is that of
 * the text; the compiler has no order for the entries.
 */
static int place_sites(struct marker_table *table, const struct marker_bounds *bounds,
		       struct slots *slots)
{
	const struct marker_gate *gate;
	struct marker_site *entry;
	u32 *slot;

	for (gate = bounds->gates; gate < bounds->gates_end; gate++) {
		entry = marker_offset_ptr(&gate->site);
		if (entry < bounds->sites || entry >= bounds->sites_end)
			return -EINVAL;
		slot = &slots->slot[entry - bounds->sites];
		if (!*slot)
			*slot = ++slots->used;
	}
	for (entry = bounds->sites; entry < bounds->sites_end; entry++) {
		slot = &slots->slot[entry - bounds->sites];
		if (!*slot)
			*slot = ++slots->used;
		if (init_site(table, entry, *slot - 1))
			return -EINVAL;
	}
	return 0;
}

/* The site of a gate or call entry; NULL: it does not point into the table. */
static struct site *owner(struct marker_table *table, const struct marker_bounds *bounds,
			  const struct slots *slots, const s32 *offset)
{
	struct marker_site *entry = marker_offset_ptr(offset);

	if (entry < bounds->sites || entry >= bounds->sites_end)
		return NULL;
	return &table->sites[slots->slot[entry - bounds->sites] - 1];
}

/* Counts the gates and calls of each site, and gives it room in the arrays. */
static int share_out(struct marker_table *table, const struct marker_bounds *bounds,
		     const struct slots *slots)
{
	const struct marker_gate *gate;
	const struct marker_call *call;
	struct gate *gates = table->gates;
	struct call *calls = table->calls;
	struct site *site;

	for (gate = bounds->gates; gate < bounds->gates_end; gate++)
		owner(table, bounds, slots, &gate->site)->ngates++;
	for (call = bounds->calls; call < bounds->calls_end; call++) {
		site = owner(table, bounds, slots, &call->site);
		if (!site)
			return -EINVAL;
		site->ncalls++;
	}
	for (site = table->sites; site < table->sites + table->nsites; site++) {
		site->gates = gates;
		site->calls = calls;
		gates += site->ngates;
		calls += site->ncalls;
		site->ngates = 0;
		site->ncalls = 0;
	}
	return 0;
}

/* Init text is freed when the init of its module is done. */
static bool is_gone(const struct site *site, const void *code)
{
	const struct module *mod = site->table->mod;

	return !owner_has(mod, code) &&
	       (owner_init_is_over(mod) || !owner_has_init(mod, code));
}

static void fill_gate(struct site *site, const struct marker_gate *entry)
{
	struct gate *gate = &site->gates[site->ngates++];

	gate->code = marker_offset_ptr(&entry->code);
	gate->gone = is_gone(site, gate->code);
	gate->cold = marker_offset_ptr(&entry->cold);
	gate->built = marker_gate_kind(entry);
	gate->kind = marker_gate_kind_built(gate->built);
}

static void fill_call(struct site *site, const struct marker_call *entry)
{
	struct call *call = &site->calls[site->ncalls++];

	call->code = marker_offset_ptr(&entry->code);
	call->gone = is_gone(site, call->code);
	if (call->gone)
		return;
	call->to = gate_decode_call(call->code);
	/* One that a markers.ko has left behind may lead to what is freed. */
	if (call->to && (owner_has(site->table->mod, call->to) ||
			 owner_has_init(site->table->mod, call->to)))
		call->none = call->to;
}

/* Where a call leads elsewhere, that of another serves as well: it does nothing. */
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

struct marker_table *table_make(struct module *mod, const struct marker_bounds *bounds)
{
	struct marker_table *table = alloc_table(mod, bounds);
	struct slots slots = { };
	int ret = -ENOMEM;

	if (!table)
		return ERR_PTR(-ENOMEM);
	slots.slot = kvcalloc(table->nsites, sizeof(*slots.slot), GFP_KERNEL);
	if (slots.slot)
		ret = fill(table, bounds, &slots);
	kvfree(slots.slot);
	if (!ret)
		return table;
	table_free(table);
	return ERR_PTR(ret);
}

void table_drop_init(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->ngates; i++)
		table->gates[i].gone |= (gate_is_code(table->gates[i].kind) ||
					 table->gates[i].kind == MARKER_GATE_GHOST) &&
			owner_has_init(table->mod, table->gates[i].code);
	for (i = 0; i < table->ncalls; i++)
		table->calls[i].gone |= owner_has_init(table->mod, table->calls[i].code);
}
