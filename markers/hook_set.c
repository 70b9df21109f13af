// SPDX-License-Identifier: GPL-2.0-only
/* The sets of hooks that sites have: found by their hooks, shared, counted. */
#include "hook_set.h"

static DEFINE_HASHTABLE(sets, 12);
static LIST_HEAD(unused_sets);

static unsigned long sets_key(struct marker_hook *const *hooks, unsigned int n)
{
	unsigned long key = n;

	while (n--)
		key = hash_long(key ^ (unsigned long)hooks[n], BITS_PER_LONG);
	return key;
}

struct marker_hook_set *marker_hook_set_find(struct marker_hook *const *hooks, unsigned int n)
{
	struct marker_hook_set *set;

	hash_for_each_possible(sets, set, same, sets_key(hooks, n))
		if (set->nhooks == n && !memcmp(set->hooks, hooks, n * sizeof(*hooks)))
			return set;
	return NULL;
}

void marker_hook_set_add(struct marker_hook_set *set)
{
	hash_add(sets, &set->same, sets_key(set->hooks, set->nhooks));
	list_add(&set->unused, &unused_sets);
}

static void get_hooks(const struct marker_hook_set *set, int nsites)
{
	unsigned int i;

	for (i = 0; set && i < set->nhooks; i++)
		set->hooks[i]->nsites += nsites;
}

static void put_set(struct marker_hook_set *set)
{
	if (set && !--set->nsites)
		list_add(&set->unused, &unused_sets);
}

void marker_hook_set_take_next(struct marker_site_state *site)
{
	if (site->next && !site->next->nsites++)
		list_del_init(&site->next->unused);
	get_hooks(site->next, 1);
	get_hooks(site->set, -1);
	site->old = site->set;
	site->set = site->next;
}

void marker_hook_set_put_old(struct marker_site_state *site)
{
	put_set(site->old);
	site->old = NULL;
}

void marker_hook_set_free_unused(void)
{
	struct marker_hook_set *set, *tmp;

	list_for_each_entry_safe(set, tmp, &unused_sets, unused) {
		list_del(&set->unused);
		hash_del(&set->same);
		kfree(set);
	}
}
