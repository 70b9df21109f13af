// SPDX-License-Identifier: GPL-2.0-only
/* The sets of hooks that sites have: found by their hooks, shared, counted. */
#include "sets.h"

static DEFINE_HASHTABLE(sets, 12);
static LIST_HEAD(unused_sets);

static unsigned long sets_key(struct hook *const *hooks, unsigned int n)
{
	unsigned long key = n;

	while (n--)
		key = hash_long(key ^ (unsigned long)hooks[n], BITS_PER_LONG);
	return key;
}

struct link_set *marker_sets_find(struct hook *const *hooks, unsigned int n)
{
	struct link_set *set;

	hash_for_each_possible(sets, set, same, sets_key(hooks, n))
		if (set->nhooks == n && !memcmp(set->hooks, hooks, n * sizeof(*hooks)))
			return set;
	return NULL;
}

void marker_sets_add(struct link_set *set)
{
	hash_add(sets, &set->same, sets_key(set->hooks, set->nhooks));
	list_add(&set->unused, &unused_sets);
}

static void get_hooks(const struct link_set *set, int nsites)
{
	unsigned int i;

	for (i = 0; set && i < set->nhooks; i++)
		set->hooks[i]->nsites += nsites;
}

static void put_set(struct link_set *set)
{
	if (set && !--set->nsites)
		list_add(&set->unused, &unused_sets);
}

void marker_sets_take_next(struct site *site)
{
	if (site->next && !site->next->nsites++)
		list_del_init(&site->next->unused);
	get_hooks(site->next, 1);
	get_hooks(site->set, -1);
	site->old = site->set;
	site->set = site->next;
}

void marker_sets_put_old(struct site *site)
{
	put_set(site->old);
	site->old = NULL;
}

void marker_sets_free_unused(void)
{
	struct link_set *set, *tmp;

	list_for_each_entry_safe(set, tmp, &unused_sets, unused) {
		list_del(&set->unused);
		hash_del(&set->same);
		kfree(set);
	}
}
