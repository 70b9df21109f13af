// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of section tables, markers and sites.  The registry does not know how
 * tables are found (module.c), nor what is connected (connection.c).
 *
 * Locks: everything under marker_mutex.
 */
#include "kprobe_gate.h"
#include "marker_probe.h"
#include "name.h"
#include "patch.h"
#include "registry.h"
#include "table_text.h"

/* Everything that markers.ko knows of sites, probes and connections. */
DEFINE_MUTEX(marker_mutex);
LIST_HEAD(marker_tables);

/* Markers by the hashes of their names; there are at least as many buckets as markers. */
#define BUCKETS_MIN	1024
static struct list_head first_buckets[BUCKETS_MIN];
struct list_head *marker_registry_buckets = first_buckets;
unsigned int marker_registry_nbuckets = BUCKETS_MIN;
static unsigned int nmarkers;

/* A writer of marker_tables holds both locks, so either will do to read it. */
static DEFINE_SPINLOCK(tables_lock);

/* All tables of marker_tables as an array, in the order of their ids. */
static struct marker_table **by_id;
static unsigned int ntables, tables_max;

static u32 next_id;

u32 marker_registry_hash(const char *name)
{
	u32 hash = 5381;

	while (*name)
		hash = hash * 33 + (u8)*name++;
	return hash;
}

/* The bucket of all markers whose names have the same part behind the '/'. */
static struct list_head *bucket(const char *name)
{
	u32 hash = marker_registry_hash(marker_name_part(name));

	return &marker_registry_buckets[hash % marker_registry_nbuckets];
}

static void use_buckets(struct list_head *buckets, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		INIT_LIST_HEAD(&buckets[i]);
	marker_registry_buckets = buckets;
	marker_registry_nbuckets = n;
}

static void free_buckets(struct list_head *buckets)
{
	if (buckets != first_buckets)
		kvfree(buckets);
}

/* Without memory, the lists of markers become longer. */
static void add_buckets(void)
{
	struct list_head *before = marker_registry_buckets, *more;
	unsigned int i, n = marker_registry_nbuckets;
	struct marker *marker, *tmp;

	more = kvmalloc_array(4 * n, sizeof(*more), GFP_KERNEL);
	if (!more)
		return;
	use_buckets(more, 4 * n);
	for (i = 0; i < n; i++)
		list_for_each_entry_safe(marker, tmp, &before[i], list)
			list_move_tail(&marker->list, bucket(marker->name));
	free_buckets(before);
}

int marker_registry_init(void)
{
	use_buckets(first_buckets, BUCKETS_MIN);
	return 0;
}

static struct marker *find_marker(const char *name)
{
	struct marker *marker;

	list_for_each_entry(marker, bucket(name), list)
		if (!strcmp(marker->name, name))
			return marker;
	return NULL;
}

struct marker *marker_registry_next_marker(const char *word, const struct marker *marker)
{
	const struct list_head *head = bucket(word), *at = marker ? &marker->list : head;

	lockdep_assert_held(&marker_mutex);
	for (at = at->next; at != head; at = at->next) {
		marker = list_entry(at, struct marker, list);
		if (marker_name_is(marker->name, word))
			return (struct marker *)marker;
	}
	return NULL;
}

static struct marker_table *find_table(const struct module *mod, bool is_debug)
{
	struct marker_table *table, *found = NULL;

	spin_lock(&tables_lock);
	list_for_each_entry(table, &marker_tables, list)
		if (table->mod == mod && table->is_debug == is_debug)
			found = table;
	spin_unlock(&tables_lock);
	return found;
}

struct marker_table *marker_registry_find_table(const struct module *mod)
{
	return find_table(mod, false);
}

struct marker_table *marker_registry_find_debug_table(const struct module *mod)
{
	return find_table(mod, true);
}

/* Return the place in by_id of the first table that has a site of at least @id. */
static unsigned int place_of(u32 id)
{
	unsigned int low = 0, high = ntables;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (by_id[middle]->first_id + by_id[middle]->nsites <= id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct marker_site_state *marker_registry_next_site(u32 id)
{
	unsigned int place = place_of(id);
	struct marker_table *table;

	lockdep_assert_held(&marker_mutex);
	if (place == ntables)
		return NULL;
	table = by_id[place];
	return &table->sites[id < table->first_id ? 0 : id - table->first_id];
}

struct marker_site_state *marker_registry_site_after(const struct marker_site_state *site)
{
	struct marker_table *table = site->table;

	if (site - table->sites + 1 < table->nsites)
		return &table->sites[site - table->sites + 1];
	return list_is_last(&table->list, &marker_tables) ? NULL :
	       list_next_entry(table, list)->sites;
}

/* Makes room for one more table in by_id. */
static int make_room(void)
{
	struct marker_table **longer;

	if (ntables < tables_max)
		return 0;
	longer = kvmalloc_array(2 * tables_max + 64, sizeof(*longer), GFP_KERNEL);
	if (!longer)
		return -ENOMEM;
	if (ntables)
		memcpy(longer, by_id, ntables * sizeof(*longer));
	kvfree(by_id);
	by_id = longer;
	tables_max = 2 * tables_max + 64;
	return 0;
}

static void list_table(struct marker_table *table)
{
	unsigned int i;

	table->first_id = next_id;
	next_id += table->nsites;
	for (i = 0; i < table->nsites; i++)
		table->sites[i].id = table->first_id + i;
	by_id[ntables++] = table;
	spin_lock(&tables_lock);
	list_add_tail(&table->list, &marker_tables);
	spin_unlock(&tables_lock);
}

static void unlist_table(struct marker_table *table)
{
	unsigned int place = place_of(table->first_id);

	memmove(by_id + place, by_id + place + 1, (--ntables - place) * sizeof(*by_id));
	spin_lock(&tables_lock);
	list_del(&table->list);
	spin_unlock(&tables_lock);
	if (ntables)
		return;
	kvfree(by_id);
	by_id = NULL;
	tables_max = 0;
}

struct marker_site_state *marker_registry_find_site(u32 id)
{
	struct marker_site_state *site = marker_registry_next_site(id);

	lockdep_assert_held(&marker_mutex);
	return site && site->id == id ? site : NULL;
}

bool marker_site_is_gone(const struct marker_site_state *site)
{
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		if (!site->gates[i].gone)
			return false;
	return site->ngates;
}

bool marker_site_is_patchable(const struct marker_site_state *site)
{
	if (site->entry->kind == MARKER_GATE_KPROBE)
		return marker_may_patch && marker_kprobe_gate_possible();
	return marker_may_patch || (!marker_gate_kind_is_code(site->entry->kind) && !site->ncalls);
}

/* The marker leaves when its last site has left. */
static void marker_del_site(struct marker_site_state *site)
{
	struct marker *marker = site->marker;

	if (!marker)
		return;
	list_del(&site->peers);
	site->marker = NULL;
	if (--marker->nsites) {
		marker->name = list_first_entry(&marker->sites, struct marker_site_state, peers)
				       ->entry->name;
		return;
	}
	list_del(&marker->list);
	kfree(marker);
	if (--nmarkers)
		return;
	free_buckets(marker_registry_buckets);
	use_buckets(first_buckets, BUCKETS_MIN);
}

static int marker_add_site(struct marker_site_state *site)
{
	const char *name = site->entry->name;
	struct marker *marker = find_marker(name);

	if (!marker) {
		marker = kzalloc(sizeof(*marker), GFP_KERNEL);
		if (!marker)
			return -ENOMEM;
		if (nmarkers++ == marker_registry_nbuckets)
			add_buckets();
		marker->name = name;
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

	for (i = 0; i < table->nsites && !ret; i++) {
		ret = marker_add_site(&table->sites[i]);
		cond_resched();
	}
	return ret;
}

int marker_gates_register(const struct marker_gate_ops *ops)
{
	const struct marker_gate_ops *bad = NULL;
	int ret;

	mutex_lock(&marker_mutex);
	ret = marker_gate_ops_add(ops, &bad);
	mutex_unlock(&marker_mutex);
	if (ret == -EEXIST)
		pr_err("gate %s, kind %u: not registered: the name or the kind is taken\n",
		       bad->name, bad->kind);
	else if (ret)
		pr_err("gate %s, kind %u, built as %u: not registered: expected a kind of %u to %u, one that is known as built, and encode() if it is code\n",
		       bad->name, bad->kind, bad->built, MARKER_GATE_OTHERS,
		       MARKER_GATE_OTHERS_LAST);
	return ret;
}
EXPORT_SYMBOL_GPL(marker_gates_register);

/* Find a site whose kind is one of these, or NULL. */
static const struct marker_site_state *find_site_of(const struct marker_gate_ops *ops)
{
	const struct marker_site_state *site;
	const struct marker_table *table;

	list_for_each_entry(table, &marker_tables, list)
		for (site = table->sites; site < table->sites + table->nsites; site++)
			if (!site->refused &&
			    marker_gate_ops_has(ops, marker_gate_ops(site->entry->kind)))
				return site;
	return NULL;
}

int marker_gates_unregister(const struct marker_gate_ops *ops)
{
	const struct marker_site_state *site;

	mutex_lock(&marker_mutex);
	site = find_site_of(ops);
	if (site) {
		pr_err("gate %s: not unregistered: %s has such a site, %s (%s:%u)\n",
		       marker_gate_kind_name(site->entry->kind), module_name(site->table->mod),
		       site->entry->name, site->entry->file, site->entry->line);
	} else {
		marker_gate_ops_remove(ops);
	}
	mutex_unlock(&marker_mutex);
	return site ? -EBUSY : 0;
}
EXPORT_SYMBOL_GPL(marker_gates_unregister);

static void drop(struct marker_table *table)
{
	unsigned int i;

	marker_table_text_forget(table);
	for (i = 0; i < table->nsites; i++)
		marker_del_site(&table->sites[i]);
	marker_table_free(table);
}

void marker_registry_retry(void)
{
	struct marker_table *table;

	lockdep_assert_held(&marker_mutex);
	if (marker_table_text_busy)
		list_for_each_entry(table, &marker_tables, list)
			marker_table_text_retry(table);
}

int marker_registry_add_table(struct module *mod, const struct marker_bounds *bounds, bool quiet)
{
	struct marker_table *table;

	lockdep_assert_held(&marker_mutex);
	if (marker_registry_find_table(mod))
		return -EEXIST;
	table = marker_table_make(mod, bounds);
	return IS_ERR(table) ? PTR_ERR(table) : marker_registry_insert_table(table, quiet);
}

int marker_registry_insert_table(struct marker_table *table, bool quiet)
{
	int ret;

	lockdep_assert_held(&marker_mutex);
	ret = make_room();
	if (!ret)
		ret = add_names(table);
	if (!ret && marker_may_patch)
		ret = marker_table_text_prepare(table, quiet);
	/* Busy ones are retried, and the others can be used. */
	if (ret && ret != -EBUSY) {
		pr_err("%s: its sites cannot be used: %pe\n", module_name(table->mod),
		       ERR_PTR(ret));
		drop(table);
		return ret;
	}
	list_table(table);
	return 0;
}

int marker_registry_del_table(struct marker_table *table, bool running)
{
	int ret;

	lockdep_assert_held(&marker_mutex);
	ret = running && marker_may_patch ? marker_table_text_restore(table) : 0;
	if (ret)
		return ret;
	unlist_table(table);
	marker_table_text_clear_pads(table);
	drop(table);
	return 0;
}
