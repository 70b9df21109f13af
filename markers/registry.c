// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of section tables, markers and sites.  It does not know how
 * tables are found (module.c), nor what is connected (connection.c).
 *
 * Locks: everything under markers_mutex.
 */
#include "patch.h"
#include "registry.h"

DEFINE_MUTEX(markers_mutex);
LIST_HEAD(marker_tables);
enum marker_gate_kind registry_auto_kind = MARKER_GATE_PUN;
bool registry_may_patch = true;
struct list_head registry_markers[REGISTRY_BUCKETS];

static u32 next_id;

static struct list_head *bucket(const char *name)
{
	unsigned int hash = 5381;

	while (*name)
		hash = hash * 33 + (u8)*name++;
	return &registry_markers[hash % REGISTRY_BUCKETS];
}

int registry_init(void)
{
	unsigned int i;

	for (i = 0; i < REGISTRY_BUCKETS; i++)
		INIT_LIST_HEAD(&registry_markers[i]);
	return 0;
}

struct marker *registry_find_marker(const char *name)
{
	struct marker *marker;

	list_for_each_entry(marker, bucket(name), list)
		if (!strcmp(marker->name, name))
			return marker;
	return NULL;
}

struct marker_table *registry_find_table(const struct module *mod)
{
	struct marker_table *table;

	list_for_each_entry(table, &marker_tables, list)
		if (table->mod == mod)
			return table;
	return NULL;
}

struct site *registry_next_site(u32 id)
{
	struct marker_table *table;

	list_for_each_entry(table, &marker_tables, list)
		if (id < table->first_id + table->nsites)
			return &table->sites[id < table->first_id ? 0 : id - table->first_id];
	return NULL;
}

struct site *registry_find_site(u32 id)
{
	struct site *site = registry_next_site(id);

	return site && site->id == id ? site : NULL;
}

bool site_is_patchable(const struct site *site)
{
	return registry_may_patch || !gate_is_code(site->entry->kind);
}

/* The marker leaves when its last site has left. */
static void marker_del_site(struct site *site)
{
	struct marker *marker = site->marker;

	if (!marker)
		return;
	list_del(&site->peers);
	site->marker = NULL;
	if (--marker->nsites) {
		marker->name = list_first_entry(&marker->sites, struct site, peers)->entry->name;
		return;
	}
	list_del(&marker->list);
	kfree(marker);
}

static int marker_add_site(struct site *site)
{
	struct marker *marker = registry_find_marker(site->entry->name);

	if (!marker) {
		marker = kzalloc(sizeof(*marker), GFP_KERNEL);
		if (!marker)
			return -ENOMEM;
		marker->name = site->entry->name;
		INIT_LIST_HEAD(&marker->sites);
		list_add_tail(&marker->list, bucket(marker->name));
	}
	list_add_tail(&site->peers, &marker->sites);
	marker->nsites++;
	site->marker = marker;
	return 0;
}

static void free_table(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->nsites; i++)
		marker_del_site(&table->sites[i]);
	for (i = 0; i < table->ngates; i++)
		if (table->gates[i].pad)
			pad_free(table->gates[i].pad);
	kvfree(table->sites);
	kvfree(table->gates);
	kvfree(table->calls);
	kfree(table);
}

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
	if (!table->sites || !table->gates || !table->calls) {
		table->nsites = 0;
		table->ngates = 0;
		free_table(table);
		return NULL;
	}
	return table;
}

/* The site of a gate or call entry, or NULL. */
static struct site *owner(struct marker_table *table,
			  const struct marker_bounds *bounds, const s32 *offset)
{
	struct marker_site *entry = marker_offset_ptr(offset);

	if (entry < bounds->sites || entry >= bounds->sites_end)
		return NULL;
	return &table->sites[entry - bounds->sites];
}

/* Counts the gates and calls of each site, and gives it room in the arrays. */
static int share_out(struct marker_table *table, const struct marker_bounds *bounds)
{
	struct marker_gate *gate;
	struct marker_call *call;
	struct gate *gates = table->gates;
	struct call *calls = table->calls;
	struct site *site;
	unsigned int i;

	for (gate = bounds->gates; gate < bounds->gates_end; gate++) {
		site = owner(table, bounds, &gate->site);
		if (!site)
			return -EINVAL;
		site->ngates++;
	}
	for (call = bounds->calls; call < bounds->calls_end; call++) {
		site = owner(table, bounds, &call->site);
		if (!site)
			return -EINVAL;
		site->ncalls++;
	}
	for (i = 0; i < table->nsites; i++) {
		site = &table->sites[i];
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
	return !within_module((unsigned long)code, site->table->mod);
}

static void fill_gate(struct site *site, const struct marker_gate *entry)
{
	struct gate *gate = &site->gates[site->ngates++];

	gate->code = marker_offset_ptr(&entry->code);
	gate->gone = is_gone(site, gate->code);
	gate->cold = marker_offset_ptr(&entry->cold);
	gate->built = site->entry->kind;
	gate->kind = gate->built;
	/* Without its pad a pun gate is a NOP. */
	if (gate->kind == MARKER_GATE_AUTO || gate->kind == MARKER_GATE_PUN)
		gate->kind = MARKER_GATE_NOP5;
}

static int fill_call(struct site *site, const struct marker_call *entry)
{
	struct call *call = &site->calls[site->ncalls++];

	call->code = marker_offset_ptr(&entry->code);
	call->gone = is_gone(site, call->code);
	if (call->gone)
		return 0;
	call->none = gate_decode_call(call->code);
	call->to = call->none;
	return call->none ? 0 : -EINVAL;
}

static int fill_table(struct marker_table *table, const struct marker_bounds *bounds)
{
	struct marker_gate *gate;
	struct marker_call *call;
	unsigned int i;
	int ret;

	for (i = 0; i < table->nsites; i++) {
		struct site *site = &table->sites[i];

		site->entry = &bounds->sites[i];
		site->table = table;
		INIT_LIST_HEAD(&site->changed);
		if (site->entry->kind >= MARKER_GATE_KINDS)
			return -EINVAL;
	}
	ret = share_out(table, bounds);
	if (ret)
		return ret;
	for (gate = bounds->gates; gate < bounds->gates_end; gate++)
		fill_gate(owner(table, bounds, &gate->site), gate);
	for (call = bounds->calls; call < bounds->calls_end; call++) {
		ret = fill_call(owner(table, bounds, &call->site), call);
		if (ret)
			return ret;
	}
	for (i = 0; i < table->nsites; i++) {
		ret = marker_add_site(&table->sites[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static void patch_pad(struct patch *patch, const struct gate *gate, bool use)
{
	patch->addr = gate->pad;
	patch->quiet = true;
	patch->len = pad_encode(gate->pad, use ? gate->cold : NULL, patch->new);
	memcpy(patch->old, gate->pad, patch->len);
}

/*
 * Gives MARK() and MARK_PUN() gates their kind: pun where a pad is to be had,
 * else flip.  Two patches at most: the gate and its pad.
 */
static unsigned int choose_kind(struct gate *gate, bool quiet, struct patch *patches)
{
	enum marker_gate_kind kind = gate->built == MARKER_GATE_PUN ?
				     MARKER_GATE_PUN : registry_auto_kind;
	struct patch *patch = patches;

	if (gate->gone || (gate->built != MARKER_GATE_AUTO && gate->built != MARKER_GATE_PUN))
		return 0;
	if (kind == MARKER_GATE_PUN) {
		gate->pad = pad_alloc(gate->code);
		if (!gate->pad)
			kind = MARKER_GATE_FLIP;
		else
			patch_pad(patch++, gate, true);
	}
	patch->addr = gate->code;
	patch->quiet = quiet;
	patch->to = gate_next(gate, false);
	gate_encode(gate, false, patch->old);
	gate->kind = kind;
	patch->len = gate_encode(gate, false, patch->new);
	return patch + 1 - patches;
}

static int choose_kinds(struct marker_table *table, bool quiet)
{
	struct patch *patches;
	unsigned int i, n = 0;
	int ret;

	if (!registry_may_patch)
		return 0;
	patches = kvcalloc(2 * table->ngates + 1, sizeof(*patches), GFP_KERNEL);
	if (!patches)
		return -ENOMEM;
	for (i = 0; i < table->ngates; i++)
		n += choose_kind(&table->gates[i], quiet, patches + n);
	ret = patch_apply(patches, n, NULL);
	kvfree(patches);
	return ret;
}

int registry_add_table(struct module *mod, const struct marker_bounds *bounds, bool quiet)
{
	struct marker_table *table;
	unsigned int i;
	int ret;

	if (registry_find_table(mod))
		return -EEXIST;
	table = alloc_table(mod, bounds);
	if (!table)
		return -ENOMEM;
	ret = fill_table(table, bounds);
	if (!ret)
		ret = choose_kinds(table, quiet);
	if (ret) {
		pr_err("markers: %s: its section tables are not usable: %d\n", mod->name, ret);
		free_table(table);
		return ret;
	}
	table->first_id = next_id;
	next_id += table->nsites;
	for (i = 0; i < table->nsites; i++)
		table->sites[i].id = table->first_id + i;
	list_add_tail(&table->list, &marker_tables);
	return 0;
}

void registry_drop_init(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->ngates; i++)
		table->gates[i].gone |= gate_is_code(table->gates[i].kind) &&
			within_module_init((unsigned long)table->gates[i].code, table->mod);
	for (i = 0; i < table->ncalls; i++)
		table->calls[i].gone |=
			within_module_init((unsigned long)table->calls[i].code, table->mod);
}

/* Puts the text back as it was found, and int3 over the pads. */
static void restore(struct marker_table *table, bool running)
{
	struct patch *patches = kvcalloc(2 * table->ngates + 1, sizeof(*patches), GFP_KERNEL);
	unsigned int i, n = 0;

	if (!patches)
		return;
	for (i = 0; i < table->ngates; i++) {
		struct gate *gate = &table->gates[i];
		struct patch *p = &patches[n];

		if (gate->pad)
			patch_pad(&patches[n++], gate, false);
		if (!running || gate->gone || !gate_is_code(gate->kind))
			continue;
		p = &patches[n];
		p->addr = gate->code;
		p->to = gate_next(gate, false);
		p->len = gate_encode(gate, false, p->old);
		gate_encode_built(gate, p->new);
		n += !!memcmp(p->old, p->new, p->len);
	}
	patch_apply(patches, n, NULL);
	kvfree(patches);
}

void registry_del_table(struct marker_table *table, bool running)
{
	list_del(&table->list);
	restore(table, running);
	free_table(table);
}
