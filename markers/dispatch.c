// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the site to its probes.
 *
 *	probes	the call of the site	what it passes (site->link)
 *	none	marker_unconnected()	NULL
 *	one	the probe itself	its link
 *	more	marker_dispatch()	an array of links
 *
 * A site loads its link and then calls, and may be preempted in between, so
 * a stale link may reach the new target.  Both can be changed apart from each other
 * because marker_dispatch() takes any link, and a probe only its own:
 *
 *	opening		link, call, then the gate: no CPU is behind it yet
 *	closing		the gate, wait, then call and link
 *	changing	call to marker_dispatch(), link, wait, call to the probe
 *
 * A site may be passed while it has no probe: its gate is foreign, or the gate is the call
 * itself.  A CPU can hold a NULL link there, which marker_dispatch() takes.  So it is opened
 * as others are changed; and closed by gate, call and link, then the wait, after which no CPU
 * holds the old link.
 *
 * The wait is that of quiesce.h, and up to the caller: marker_dispatch_commit() comes
 * before it, marker_dispatch_finish() after it.  In between, the sites of the transaction
 * change in no other way but that their module goes.
 *
 * A generic site calls what its link names, and so does a kprobe gate: there the link
 * alone is always consistent.
 *
 * Locks: marker_mutex.
 */
#include "changes.h"
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
		gate->open = open && !gate->apart;
	}
	if (open)
		WRITE_ONCE(site->entry->link, site->next->links);
	if (site->entry->kind == MARKER_GATE_GENERIC)
		/* The link before the flag; the site's branch orders its loads. */
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

/* What is staged and comes to nothing, such as two commands that undo each other. */
static void drop_unchanged(struct list_head *transaction)
{
	struct marker_site_state *site, *tmp;

	list_for_each_entry_safe(site, tmp, transaction, changed)
		if (site->set == site->next && !marker_changes_needs_work(site))
			list_del_init(&site->changed);
}

/*
 * A gate that is foreign while it should close may still jump to the calls: these
 * then call an empty function.  If they are foreign, too, the site stays as it is.
 */
static void cut_off(struct list_head *transaction, struct marker_patch_stats *stats)
{
	struct marker_site_state *site;
	bool reached = false;

	list_for_each_entry(site, transaction, changed)
		reached |= marker_changes_closes(site) && marker_changes_reaches(site);
	if (!reached)
		return;
	marker_changes_apply(transaction, CHANGES_CUT, stats, NULL);
	list_for_each_entry(site, transaction, changed)
		if (marker_changes_closes(site) && marker_changes_reaches(site) &&
		    marker_changes_leads_on(site))
			site->next = site->set;
}

/* What was foreign is left, and the rest is done: see struct marker_patch_group. */
static int change_text(struct list_head *transaction, struct marker_dispatch_stats *stats,
		       struct marker_patch_agreement *agreement)
{
	int ret = marker_kprobe_gates_change(transaction);

	if (ret)
		return ret;
	ret = marker_changes_apply(transaction, CHANGES_CHANGE, &stats->patch, agreement);
	if (ret == -EBUSY && !(agreement && agreement->ret))
		ret = 0;
	if (ret)
		marker_kprobe_gates_undo(transaction);
	return ret;
}

/* Opens, closes, changes. */
static int change(struct list_head *transaction, struct marker_dispatch_stats *stats,
		  struct marker_patch_agreement *agreement)
{
	struct marker_site_state *site;
	int ret;

	list_for_each_entry(site, transaction, changed) {
		bool passed = marker_changes_is_passed(site);

		site->group = (struct marker_patch_group){ };
		/* Its gate was opened by other means, or it is opened while CPUs pass it. */
		stats->waits |= !site->set && (site->next ? passed : marker_changes_reaches(site));
		if (!site->set && site->next && !passed)
			WRITE_ONCE(site->entry->link, site->next->links);
	}
	ret = change_text(transaction, stats, agreement);
	if (!ret)
		return 0;
	list_for_each_entry(site, transaction, changed)
		if (!site->set)
			WRITE_ONCE(site->entry->link, NULL);
	return ret;
}

int marker_dispatch_commit(struct list_head *transaction, struct marker_dispatch_stats *stats,
			   struct marker_patch_agreement *agreement)
{
	struct marker_site_state *site;
	int ret;

	lockdep_assert_held(&marker_mutex);
	memset(stats, 0, sizeof(*stats));
	drop_unchanged(transaction);
	ret = change(transaction, stats, agreement);
	if (ret) {
		marker_dispatch_abort(transaction);
		return ret;
	}
	list_for_each_entry(site, transaction, changed) {
		stats->waits |= site->set && site->set != site->next;
		stats->sites++;
		if (!site->group.refused)
			publish(site);
		else if (site->set)
			/* Calls stay, so the link has to. */
			site->next = site->set;
		else if (site->next)
			/* For CPUs that pass it by a foreign gate when its calls are written. */
			WRITE_ONCE(site->entry->link, site->next->links);
		cond_resched();
	}
	cut_off(transaction, &stats->tidy);
	list_for_each_entry(site, transaction, changed) {
		/* Before the wait: a CPU that passes the site loads the link even now. */
		if (!site->next && marker_changes_is_passed(site))
			WRITE_ONCE(site->entry->link, NULL);
		marker_hook_set_take_next(site);
	}
	return 0;
}

void marker_dispatch_finish(struct list_head *transaction, struct marker_dispatch_stats *stats)
{
	struct marker_site_state *site, *tmp;

	lockdep_assert_held(&marker_mutex);
	/* Should this fail, changed sites keep the dispatcher: slower, correct. */
	if (marker_changes_apply(transaction, CHANGES_TIDY, &stats->tidy, NULL))
		pr_warn("some calls stay as they are\n");
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
			    (site->group.refused || marker_changes_needs_work(site)))
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
	/* What they switch may lie elsewhere, and stays. */
	for (i = 0; i < site->ngates; i++)
		set_switch(&site->gates[i], false);
	marker_hook_set_put_old(site);
	site->next = NULL;
	marker_hook_set_take_next(site);
	marker_hook_set_put_old(site);
	list_del_init(&site->changed);
	marker_hook_set_free_unused();
}
