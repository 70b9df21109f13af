// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of section tables, markers and sites.  It does not know how
 * tables are found (module.c), nor what is connected (connection.c).
 *
 * Locks: everything under markers_mutex.
 */
#include "ghost.h"
#include "owner.h"
#include "patch.h"
#include "quiesce.h"
#include "registry.h"

/* Everything that markers.ko knows of sites, probes and connections. */
DEFINE_MUTEX(markers_mutex);
LIST_HEAD(marker_tables);
enum marker_gate_kind registry_auto_kind = MARKER_GATE_PUN;
bool registry_may_patch = true;
struct list_head registry_markers[REGISTRY_BUCKETS];
unsigned int marker_registry_busy;

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
	if (site->entry->kind == MARKER_GATE_GHOST)
		return registry_may_patch && ghost_possible();
	return registry_may_patch || (!gate_is_code(site->entry->kind) && !site->ncalls);
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

static int add_names(struct marker_table *table)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < table->nsites && !ret; i++)
		ret = marker_add_site(&table->sites[i]);
	return ret;
}

/* What is busy may lead into this module at any time, so that stays. */
static void set_busy(bool *busy, bool now)
{
	if (*busy == now || !registry_may_patch)
		return;
	*busy = now;
	if (now && !marker_registry_busy++)
		__module_get(THIS_MODULE);
	else if (!now && !--marker_registry_busy)
		module_put(THIS_MODULE);
}

void marker_registry_set_busy(bool *busy)
{
	set_busy(busy, true);
}

void marker_registry_note(const struct patch *patches, unsigned int n)
{
	const struct patch *p;

	for (p = patches; p < patches + n; p++) {
		bool done = patch_is_done(p), foreign = p->found == PATCH_FOREIGN;

		if (p->gate && (done || foreign))
			set_busy(&p->gate->busy, foreign);
		if (p->insn && (done || foreign))
			set_busy(&p->insn->busy, foreign);
		if (p->gate && done) {
			p->gate->kind = p->kind;
			p->gate->open = p->open;
			p->gate->to = p->call ? p->to : NULL;
		}
		if (p->insn && done)
			p->insn->to = p->to;
	}
}

static void drop(struct marker_table *table)
{
	unsigned int i;

	for (i = 0; i < table->ngates; i++)
		set_busy(&table->gates[i].busy, false);
	for (i = 0; i < table->ncalls; i++)
		set_busy(&table->calls[i].busy, false);
	for (i = 0; i < table->nsites; i++)
		marker_del_site(&table->sites[i]);
	table_free(table);
}

static void patch_pad(struct patch *patch, const struct gate *gate, bool use)
{
	patch->addr = gate->pad;
	patch->quiet = true;
	patch->len = pad_encode(gate->pad, use ? gate->cold : NULL, patch->new);
	memcpy(patch->old, gate->pad, patch->len);
}

/* What the gate is to become here; for pun it is given a pad. */
static enum marker_gate_kind choose_kind(struct gate *gate)
{
	enum marker_gate_kind kind = gate->built == MARKER_GATE_AUTO ?
				     registry_auto_kind : gate->built;

	if (kind != MARKER_GATE_PUN)
		return kind;
	gate->pad = gate->pad ?: pad_alloc(gate->code);
	return gate->pad ? kind : MARKER_GATE_FLIP;
}

/*
 * From what is found at a gate, if that is known, to @after, closed.  Else the
 * patch expects what was there last, and says that it is not.  Whether it is open.
 */
static bool plan_gate(struct patch *p, struct gate *gate, const struct gate *after, bool quiet)
{
	u8 found[GATE_CODE_MAX];
	bool open;

	p->addr = gate->code;
	p->len = gate_encode(gate, gate->open, p->old);
	memcpy(found, gate->code, p->len);
	if (marker_gate_recognise(gate, found, &open))
		memcpy(p->old, found, p->len);
	gate_encode(after, false, p->new);
	p->to = gate_next(after, false);
	p->quiet = quiet;
	p->known = gate->busy;
	p->gate = gate;
	p->kind = after->kind;
	return open;
}

/* A busy gate that is what it was, or the same closed or opened, is left so. */
static bool adopt(struct gate *gate)
{
	u8 bytes[GATE_CODE_MAX];
	unsigned int len, open;

	for (open = 0; open < 2; open++) {
		len = gate_encode(gate, open, bytes);
		if (memcmp(gate->code, bytes, len))
			continue;
		gate->open = open;
		set_busy(&gate->busy, false);
		return true;
	}
	return false;
}

/*
 * Gives a gate its kind, that of MARK() and MARK_PUN() being pun where a pad is
 * to be had, else flip; and closes it, if it was left open.  Two patches at most:
 * the gate and its pad.
 */
static unsigned int settle_gate(struct gate *gate, bool quiet, struct patch *patches,
				bool *open)
{
	struct patch *p = patches;
	struct gate after;

	if (gate->gone)
		set_busy(&gate->busy, false);
	if (gate->gone || !gate_is_code(gate->kind))
		return 0;
	after = *gate;
	after.kind = choose_kind(gate);
	after.pad = gate->pad;
	if (gate->busy && gate->kind == after.kind && adopt(gate))
		return 0;
	if (after.kind == MARKER_GATE_PUN && gate->kind != after.kind)
		patch_pad(p++, gate, true);
	*open |= plan_gate(p++, gate, &after, quiet);
	return p - patches;
}

/* A call that leads elsewhere than to its none was left so by another markers.ko. */
static unsigned int settle_call(const struct marker_table *table, struct call *call,
				bool quiet, struct patch *p)
{
	u8 *to;

	if (call->gone) {
		set_busy(&call->busy, false);
		return 0;
	}
	to = gate_decode_call(call->code);
	if (!call->none && to && owner_has(table->mod, to))
		call->none = to;
	if (call->busy && to && to == call->to) {
		set_busy(&call->busy, false);
		return 0;
	}
	if (!call->none || (to == call->none && !call->busy))
		return 0;
	p->addr = call->code;
	p->len = gate_encode_call(call->code, to ?: call->none, p->old);
	gate_encode_call(call->code, call->none, p->new);
	p->to = call->none;
	p->call = true;
	p->quiet = quiet;
	p->known = call->busy;
	p->insn = call;
	return 1;
}

/*
 * Of gates and calls those that are busy, or all.  Behind what was open, and is
 * closed now, nobody is any more.  0, or what patch_apply() says.
 */
static int settle(struct marker_table *table, bool quiet, bool all)
{
	struct patch *patches;
	unsigned int i, n = 0;
	bool open = false;
	int ret;

	patches = kvcalloc(2 * table->ngates + table->ncalls + 1, sizeof(*patches), GFP_KERNEL);
	if (!patches)
		return -ENOMEM;
	for (i = 0; i < table->ngates; i++)
		if (all || table->gates[i].busy)
			n += settle_gate(&table->gates[i], quiet, patches + n, &open);
	for (i = 0; i < table->ncalls; i++)
		if (all || table->calls[i].busy)
			n += settle_call(table, &table->calls[i], quiet, patches + n);
	ret = patch_apply(patches, n, NULL);
	marker_registry_note(patches, n);
	kvfree(patches);
	if (open)
		quiesce();
	return ret;
}

void marker_registry_retry(void)
{
	struct marker_table *table;

	if (marker_registry_busy)
		list_for_each_entry(table, &marker_tables, list)
			settle(table, false, false);
}

int registry_add_table(struct module *mod, const struct marker_bounds *bounds, bool quiet)
{
	struct marker_table *table;
	unsigned int i;
	int ret;

	if (registry_find_table(mod))
		return -EEXIST;
	table = table_make(mod, bounds);
	if (IS_ERR(table)) {
		pr_err("markers: %s: its section tables make no sense\n", module_name(mod));
		return PTR_ERR(table);
	}
	ret = add_names(table);
	if (!ret && registry_may_patch)
		ret = settle(table, quiet, true);
	/* Busy ones are retried, and the others can be used. */
	if (ret && ret != -EBUSY) {
		pr_err("markers: %s: its sites cannot be used: %d\n", module_name(mod), ret);
		drop(table);
		return ret;
	}
	table->first_id = next_id;
	next_id += table->nsites;
	for (i = 0; i < table->nsites; i++)
		table->sites[i].id = table->first_id + i;
	list_add_tail(&table->list, &marker_tables);
	return 0;
}

/* Whether any was open. */
static bool plan_built(struct marker_table *table, struct patch *patches, unsigned int *n)
{
	struct gate *gate, after;
	bool open = false;
	unsigned int i;

	for (gate = table->gates; gate < table->gates + table->ngates; gate++) {
		if (gate->gone || !gate_is_code(gate->kind))
			continue;
		after = *gate;
		after.kind = marker_gate_kind_built(gate->built);
		open |= plan_gate(&patches[(*n)++], gate, &after, false);
	}
	for (i = 0; i < table->ncalls; i++)
		*n += settle_call(table, &table->calls[i], false, patches + *n);
	return open;
}

/* Puts the text back as it was built; else what is not is busy. */
static int restore(struct marker_table *table)
{
	struct patch *patches = kvcalloc(table->ngates + table->ncalls + 1, sizeof(*patches),
					 GFP_KERNEL);
	unsigned int n = 0;
	bool open;
	int ret;

	if (!patches)
		return -ENOMEM;
	open = plan_built(table, patches, &n);
	ret = patch_apply(patches, n, NULL);
	marker_registry_note(patches, n);
	kvfree(patches);
	if (open)
		quiesce();
	return ret;
}

/* int3 over the pads, which nobody reaches any more. */
static void clear_pads(struct marker_table *table)
{
	struct patch *patches = kvcalloc(table->ngates + 1, sizeof(*patches), GFP_KERNEL);
	unsigned int i, n = 0;

	if (!patches)
		return;
	for (i = 0; i < table->ngates; i++)
		if (table->gates[i].pad)
			patch_pad(&patches[n++], &table->gates[i], false);
	patch_apply(patches, n, NULL);
	kvfree(patches);
}

/*
 * What is foreign may become a jump to a pad again, or a call into a probe.  Once
 * it is known to be, this module cannot be unloaded; but bytes may have changed
 * since they were looked at, and then this does not return before they are ours.
 */
static void restore_all(struct marker_table *table)
{
	int ret;

	while ((ret = restore(table))) {
		pr_err("markers: %s: text is not as it was: %d; unloading waits until it is\n",
		       module_name(table->mod), ret);
		msleep(1000);
	}
}

void registry_del_table(struct marker_table *table, bool running)
{
	if (running && registry_may_patch)
		restore_all(table);
	list_del(&table->list);
	clear_pads(table);
	drop(table);
}
