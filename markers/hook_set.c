// SPDX-License-Identifier: GPL-2.0-only
/* The sets of hooks that sites have, found by their hooks, shared and counted. */
#include "env_local.h"
#include "hook_set.h"
#include "marker_probe.h"

void notrace marker_count(MARKER_PARAMS)
{
	this_cpu_inc(*(u64 __percpu *)link->data);
}
EXPORT_SYMBOL_GPL(marker_count);

/* A function of its own, as it saves the arguments. */
static noinline void notrace call_each(MARKER_PARAMS)
{
	for (; link->func; link++)
		link->func(link, site, a, b, c, d);
}

void notrace marker_dispatch(MARKER_PARAMS)
{
	/* Loaded while the site had no probe: see dispatch.c. */
	if (unlikely(!link))
		return;
	if (likely(link->func == marker_dispatch)) {
		u64 __percpu *counts = (u64 __percpu *)link++->data;

		if (!counts) {
			call_each(link, site, a, b, c, d);
			return;
		}
		this_cpu_inc(*counts);
	}
	/* Else it is of a single probe, loaded before the call was changed. */
	link->func(link, site, a, b, c, d);
}

static DEFINE_HASHTABLE(sets, 10);
static LIST_HEAD(unused_sets);

static unsigned long sets_key(struct marker_hook *const *hooks, unsigned int n)
{
	unsigned long key = n;

	while (n--)
		key = hash_long(key ^ (unsigned long)hooks[n], BITS_PER_LONG);
	return key;
}

static struct marker_hook_set *find_set(struct marker_hook *const *hooks, unsigned int n)
{
	struct marker_hook_set *set;

	hash_for_each_possible(sets, set, same, sets_key(hooks, n))
		if (set->nhooks == n && set->hooks[0] == hooks[0] &&
		    !memcmp(set->hooks, hooks, n * sizeof(*hooks)))
			return set;
	return NULL;
}

static void add_set(struct marker_hook_set *set)
{
	hash_add(sets, &set->same, sets_key(set->hooks, set->nhooks));
	list_add(&set->unused, &unused_sets);
}

void marker_hook_init(struct marker_hook *hook, marker_fn *func, void *data)
{
	hook->link.func = func;
	hook->link.data = data;
	hook->nsites = 0;
}

/* Return which of two hooks the dispatcher counts for; @n if there is none. */
static unsigned int find_count(struct marker_hook *const *hooks, unsigned int n)
{
	unsigned int i;

	for (i = 0; n == 2 && i < n; i++)
		if (hooks[i]->link.func == marker_count)
			return i;
	return n;
}

static struct marker_hook_set *make_set(struct marker_hook *const *hooks, unsigned int n)
{
	struct marker_link *link;
	struct marker_hook_set *set;
	unsigned int i, count;

	set = kzalloc(sizeof(*set) + (n + 2) * sizeof(*link), GFP_KERNEL);
	if (!set)
		return NULL;
	set->nhooks = n;
	memcpy(set->hooks, hooks, n * sizeof(*hooks));
	link = set->links;
	count = find_count(hooks, n);
	if (n > 1) {
		link->func = marker_dispatch;
		link++->data = count < n ? hooks[count]->link.data : NULL;
	}
	for (i = 0; i < n; i++)
		if (i != count)
			*link++ = hooks[i]->link;
	set->target = set->links[0].func;
	add_set(set);
	return set;
}

struct marker_hook_set *marker_hook_set_get(struct marker_hook *const *hooks, unsigned int n)
{
	struct marker_hook_set *set;

	lockdep_assert_held(&marker_mutex);
	if (!n)
		return NULL;
	set = find_set(hooks, n);
	if (!set)
		set = make_set(hooks, n);
	return set ?: ERR_PTR(-ENOMEM);
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
	lockdep_assert_held(&marker_mutex);
	if (site->next && !site->next->nsites++)
		list_del_init(&site->next->unused);
	get_hooks(site->next, 1);
	get_hooks(site->set, -1);
	site->old = site->set;
	site->set = site->next;
}

void marker_hook_set_put_old(struct marker_site_state *site)
{
	lockdep_assert_held(&marker_mutex);
	put_set(site->old);
	site->old = NULL;
}

void marker_hook_set_free_unused(void)
{
	struct marker_hook_set *set, *tmp;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry_safe(set, tmp, &unused_sets, unused) {
		list_del(&set->unused);
		hash_del(&set->same);
		kfree(set);
	}
}
