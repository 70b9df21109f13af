// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connects a site with its probes.
 *
 *	probes	the call of the site	passed link (site->link)
 *	none	marker_unconnected()	NULL
 *	one	the probe itself	its link
 *	more	marker_dispatch()	an array of links
 *
 * A site loads its link and then calls, and may be preempted in between, so
 * a stale link may reach the new target.  Link and call can be changed one by one
 * because marker_dispatch() takes any link, and a probe only its own:
 *
 *	opening		link, call, then the gate: no CPU is behind it yet
 *	closing		the gate, wait, then call and link
 *	changing	call to marker_dispatch(), link, wait, call to the probe
 *
 * A CPU may pass a site without a probe: its gate is foreign, or the gate is the call
 * itself.  The CPU can hold a NULL link, which marker_dispatch() takes.  So such a site is
 * opened as in "changing"; and closed by gate, call and link, then the wait, after which no CPU
 * holds the old link.
 *
 * The caller waits (quiesce.h): marker_dispatch_apply() comes
 * before it, marker_dispatch_finish() after it.  In between, the sites of the transaction
 * do not change, except that their module may go.
 *
 * A generic site and a kprobe gate call the function that their link names: there the link
 * alone is always consistent.
 *
 * Locks: marker_mutex.
 */
#include "changes.h"
#include "debug_site.h"
#include "dispatch.h"
#include "key.h"
#include "kprobe_gate.h"

struct marker_dispatch_stats marker_dispatch_last;

static int stage(struct list_head *transaction, struct marker_site_state *site,
		 struct marker_hook *const *hooks, unsigned int n)
{
	struct marker_hook_set *set = marker_hook_set_get(hooks, n);

	if (IS_ERR(set))
		return PTR_ERR(set);
	site->next = set;
	if (list_empty(&site->changed))
		list_add_tail(&site->changed, transaction);
	return 0;
}

int marker_dispatch_add(struct list_head *transaction, struct marker_site_state *site,
			struct marker_hook *hook)
{
	struct marker_hook *hooks[MARKER_HOOKS_MAX];
	unsigned int n = site->next ? site->next->nhooks : 0;

	lockdep_assert_held(&marker_mutex);
	if (n == MARKER_HOOKS_MAX)
		return -ENOSPC;
	if (n)
		memcpy(hooks, site->next->hooks, n * sizeof(*hooks));
	hooks[n] = hook;
	return stage(transaction, site, hooks, n + 1);
}

int marker_dispatch_del(struct list_head *transaction, struct marker_site_state *site,
			bool (*leaves)(const struct marker_hook *hook))
{
	struct marker_hook *hooks[MARKER_HOOKS_MAX];
	unsigned int i, n = 0, had = site->next ? site->next->nhooks : 0;

	lockdep_assert_held(&marker_mutex);
	for (i = 0; i < had; i++)
		if (!leaves(site->next->hooks[i]))
			hooks[n++] = site->next->hooks[i];
	return n == had ? 0 : stage(transaction, site, hooks, n);
}

static void set_switch(const struct marker_gate_state *gate, bool open)
{
	if (gate->kind == MARKER_GATE_SWITCH && gate->open != open && !gate->gone)
		((marker_switch_fn *)gate->code)(open);
}

/* The text is changed; now the data. */
static void publish(struct marker_site_state *site)
{
	bool open = site->next;
	unsigned int i;

	for (i = 0; i < site->ngates; i++) {
		struct marker_gate_state *gate = &site->gates[i];

		if (marker_gate_kind_is_code(gate->kind))
			continue;
		if (gate->kind == MARKER_GATE_KEY && gate->open != open)
			marker_key_set(gate->code, open);
		set_switch(gate, open);
		gate->open = open && !gate->excluded;
	}
	if (open)
		marker_debug_key_open(site);
	if (open)
		/* The contents of the links before their address. */
		smp_store_release(&site->entry->link, site->next->links);
	if (site->entry->kind == MARKER_GATE_GENERIC)
		/* The link before the flag.  Pairs with marker_gate_generic(). */
		smp_store_release(&site->entry->on, open);
}

void marker_dispatch_abort(struct list_head *transaction)
{
	struct marker_site_state *site, *tmp;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry_safe(site, tmp, transaction, changed) {
		site->next = site->set;
		list_del_init(&site->changed);
	}
	marker_hook_set_free_unused();
}

/* Drop sites whose staged changes cancel out, such as those of two opposite commands. */
static void drop_unchanged(struct list_head *transaction)
{
	struct marker_site_state *site, *tmp;

	list_for_each_entry_safe(site, tmp, transaction, changed)
		if (site->set == site->next && !marker_site_needs_work(site))
			list_del_init(&site->changed);
}

static bool closes_but_reached(const struct marker_site_state *site)
{
	return marker_site_change(site) == SITE_CLOSES &&
	       marker_site_reach(site) == SITE_REACHES_BLOCK;
}

/* Make one step that needs no decision. */
static int make_step(struct list_head *transaction, enum marker_change_step step,
		     struct marker_patch_stats *stats)
{
	struct marker_changes changes;

	return marker_changes_begin(&changes, transaction, step) ?:
	       marker_changes_commit(&changes, stats);
}

/*
 * A gate that is foreign while it should close may still jump to the calls, so the calls
 * are made to call an empty function.  If the calls are foreign, too, the site stays as it is.
 */
static void cut_off(struct list_head *transaction, struct marker_patch_stats *stats)
{
	struct marker_site_state *site;
	bool reached = false;

	list_for_each_entry(site, transaction, changed)
		reached |= closes_but_reached(site);
	if (!reached)
		return;
	make_step(transaction, CHANGES_CUT, stats);
	list_for_each_entry(site, transaction, changed)
		if (closes_but_reached(site) && marker_site_calls_probe(site))
			site->next = site->set;
}

/* True if a probe may still run that the change takes away, or a call that it changes. */
static bool must_wait(const struct marker_site_state *site)
{
	switch (marker_site_change(site)) {
	case SITE_OPENS_LIVE:
	case SITE_CHANGES:
	case SITE_CLOSES:
		return true;
	case SITE_KEEPS:
		/* Other code opened the gate, and this transaction closes it. */
		return !site->set && marker_site_reach(site) == SITE_REACHES_BLOCK;
	default:
		return false;
	}
}

/* Set the link of sites that open, which no CPU loads yet. */
static void publish_links(struct list_head *transaction)
{
	struct marker_site_state *site;

	list_for_each_entry(site, transaction, changed)
		if (marker_site_change(site) == SITE_OPENS)
			/* As in publish(). */
			smp_store_release(&site->entry->link, site->next->links);
}

static void drop(struct list_head *transaction)
{
	struct marker_site_state *site;

	list_for_each_entry(site, transaction, changed)
		if (!site->set)
			WRITE_ONCE(site->entry->link, NULL);
	marker_dispatch_abort(transaction);
}

int marker_dispatch_verify(struct list_head *transaction, struct marker_changes *changes,
			   struct marker_dispatch_stats *stats)
{
	struct marker_site_state *site;
	int ret;

	lockdep_assert_held(&marker_mutex);
	drop_unchanged(transaction);
	list_for_each_entry(site, transaction, changed) {
		site->group = (struct marker_patch_group){ };
		stats->waits |= must_wait(site);
		stats->sites++;
	}
	publish_links(transaction);
	marker_debug_keys_close(transaction);
	ret = marker_kprobe_gates_change(transaction);
	if (!ret) {
		ret = marker_changes_begin(changes, transaction, CHANGES_CHANGE);
		if (ret)
			marker_kprobe_gates_undo(transaction);
	}
	if (ret) {
		marker_debug_keys_undo(transaction);
		drop(transaction);
	}
	return ret;
}

void marker_dispatch_cancel(struct list_head *transaction, struct marker_changes *changes)
{
	lockdep_assert_held(&marker_mutex);
	marker_changes_cancel(changes);
	marker_kprobe_gates_undo(transaction);
	marker_debug_keys_undo(transaction);
	drop(transaction);
}

void marker_dispatch_apply(struct list_head *transaction, struct marker_changes *changes,
			   struct marker_dispatch_stats *stats)
{
	struct marker_site_state *site;

	lockdep_assert_held(&marker_mutex);
	/* Foreign bytes are left, and the rest is done: see struct marker_patch_group. */
	marker_changes_commit(changes, &stats->patch);
	list_for_each_entry(site, transaction, changed) {
		if (!site->group.refused)
			publish(site);
		else if (site->set)
			/* Calls stay, so the link has to. */
			site->next = site->set;
		else if (site->next)
			/* A CPU may pass the site by a foreign gate. */
			WRITE_ONCE(site->entry->link, site->next->links);
		cond_resched();
	}
	cut_off(transaction, &stats->tidy);
	list_for_each_entry(site, transaction, changed) {
		/* Before the wait: a CPU that passes the site loads the link even now. */
		if (!site->next && marker_site_reach(site) != SITE_REACHES_NOTHING)
			WRITE_ONCE(site->entry->link, NULL);
		marker_hook_set_take_next(site);
	}
}

void marker_dispatch_finish(struct list_head *transaction, struct marker_dispatch_stats *stats)
{
	struct marker_site_state *site, *tmp;

	lockdep_assert_held(&marker_mutex);
	/* Should this fail, changed sites keep the dispatcher: slower, correct. */
	if (make_step(transaction, CHANGES_TIDY, &stats->tidy))
		pr_warn("some calls still use the dispatcher\n");
	list_for_each_entry_safe(site, tmp, transaction, changed) {
		if (!site->set)
			WRITE_ONCE(site->entry->link, NULL);
		marker_hook_set_put_old(site);
		list_del_init(&site->changed);
		cond_resched();
	}
	marker_hook_set_free_unused();
	if (stats->sites)
		marker_dispatch_last = *stats;
}

void marker_dispatch_join_busy(struct list_head *transaction)
{
	struct marker_table *table;
	struct marker_site_state *site;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(table, &marker_tables, list)
		for (site = table->sites; site < table->sites + table->nsites; site++)
			if (list_empty(&site->changed) &&
			    (site->group.refused || marker_site_needs_work(site)))
				list_add_tail(&site->changed, transaction);
}

bool marker_dispatch_is_blocked(const struct marker_site_state *site)
{
	return site->group.refused || (site->group.foreign && !site->group.done);
}

void marker_dispatch_forget(struct marker_site_state *site)
{
	unsigned int i;

	lockdep_assert_held(&marker_mutex);
	/* The function of a switch may be in another module, which stays: call it with false. */
	for (i = 0; i < site->ngates; i++)
		set_switch(&site->gates[i], false);
	marker_hook_set_put_old(site);
	site->next = NULL;
	marker_hook_set_take_next(site);
	marker_hook_set_put_old(site);
	list_del_init(&site->changed);
	marker_hook_set_free_unused();
}
