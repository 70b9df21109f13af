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
 * that an old link can meet a new call.  Both can be changed apart from each
 * other because marker_dispatch() takes any link, and a probe only its own:
 *
 *	opening		link, call, then the gate: nobody is behind it yet
 *	closing		the gate, wait, then call and link
 *	changing	call to marker_dispatch(), link, wait, call to the probe
 *
 * The wait is quiesce().  A generic site calls what its link names, and so does
 * a ghost: there the link alone is always consistent.
 *
 * Locks: markers_mutex.
 */
#include "dispatch.h"
#include "ghosts.h"
#include "key.h"
#include "plan.h"
#include "quiesce.h"

struct dispatch_stats dispatch_last;

static LIST_HEAD(unused_sets);

static bool is_dispatcher(marker_fn *func)
{
	return func == (marker_fn *)marker_dispatch ||
	       func == (marker_fn *)marker_dispatch_preempt_off;
}

/*
 * Sites pass as many words as they have arguments; the others are what the
 * registers and the stack of the caller happen to hold, and no probe looks at
 * them.
 */
void notrace marker_dispatch(const struct probe_link *link, const struct marker_site *site,
			     unsigned long a, unsigned long b, unsigned long c,
			     unsigned long d, unsigned long e, unsigned long f,
			     unsigned long g, unsigned long h)
{
	/* The link of a single probe, loaded before the call was changed. */
	if (!is_dispatcher(link->func)) {
		link->func(link, site, a, b, c, d, e, f, g, h);
		return;
	}
	for (link++; link->func; link++)
		link->func(link, site, a, b, c, d, e, f, g, h);
}

/* The thread's form, kept to be measured (A5 to A7). */
void notrace marker_dispatch_preempt_off(const struct probe_link *link,
					 const struct marker_site *site,
					 unsigned long a, unsigned long b, unsigned long c,
					 unsigned long d, unsigned long e, unsigned long f,
					 unsigned long g, unsigned long h)
{
	preempt_disable_notrace();
	marker_dispatch(link, site, a, b, c, d, e, f, g, h);
	preempt_enable_notrace();
}

void hook_init(struct hook *hook, marker_fn *func, void *data, bool preempt_off)
{
	hook->link.func = func;
	hook->link.data = data;
	hook->preempt_off = preempt_off;
	hook->nsites = 0;
	INIT_LIST_HEAD(&hook->sets);
}

static struct link_set *find_set(struct hook *const *hooks, unsigned int n)
{
	struct link_set *set;

	list_for_each_entry(set, &hooks[n - 1]->sets, list)
		if (set->nhooks == n && !memcmp(set->hooks, hooks, n * sizeof(*hooks)))
			return set;
	return NULL;
}

static struct link_set *make_set(struct hook *const *hooks, unsigned int n)
{
	bool preempt_off = false;
	struct probe_link *link;
	struct link_set *set;
	unsigned int i;

	set = kzalloc(sizeof(*set) + (n + 2) * sizeof(*link), GFP_KERNEL);
	if (!set)
		return NULL;
	set->nhooks = n;
	memcpy(set->hooks, hooks, n * sizeof(*hooks));
	for (i = 0; i < n; i++)
		preempt_off |= hooks[i]->preempt_off;
	link = set->links;
	if (preempt_off)
		link++->func = (marker_fn *)marker_dispatch_preempt_off;
	else if (n > 1)
		link++->func = (marker_fn *)marker_dispatch;
	for (i = 0; i < n; i++)
		*link++ = hooks[i]->link;
	set->target = set->links[0].func;
	list_add(&set->list, &hooks[n - 1]->sets);
	list_add(&set->unused, &unused_sets);
	return set;
}

/* NULL for no hooks, ERR_PTR(-ENOMEM). */
static struct link_set *get_set(struct hook *const *hooks, unsigned int n)
{
	struct link_set *set;

	if (!n)
		return NULL;
	set = find_set(hooks, n);
	if (!set)
		set = make_set(hooks, n);
	return set ?: ERR_PTR(-ENOMEM);
}

/* @site leaves its set for @set, either of which may be NULL. */
static void set_site(struct site *site, struct link_set *set)
{
	struct link_set *old = site->set;
	unsigned int i;

	if (set) {
		if (!set->nsites++)
			list_del_init(&set->unused);
		for (i = 0; i < set->nhooks; i++)
			set->hooks[i]->nsites++;
	}
	if (old) {
		for (i = 0; i < old->nhooks; i++)
			old->hooks[i]->nsites--;
		if (!--old->nsites)
			list_add(&old->unused, &unused_sets);
	}
	site->set = set;
	site->next = set;
}

static void free_unused_sets(void)
{
	struct link_set *set, *tmp;

	list_for_each_entry_safe(set, tmp, &unused_sets, unused) {
		list_del(&set->unused);
		list_del(&set->list);
		kfree(set);
	}
}

static int wish(struct list_head *transaction, struct site *site,
		struct hook *const *hooks, unsigned int n)
{
	struct link_set *set = get_set(hooks, n);

	if (IS_ERR(set))
		return PTR_ERR(set);
	site->next = set;
	if (list_empty(&site->changed))
		list_add_tail(&site->changed, transaction);
	return 0;
}

int dispatch_add(struct list_head *transaction, struct site *site, struct hook *hook)
{
	struct hook *hooks[HOOKS_MAX];
	unsigned int n = site->next ? site->next->nhooks : 0;

	if (n == HOOKS_MAX)
		return -ENOSPC;
	if (n)
		memcpy(hooks, site->next->hooks, n * sizeof(*hooks));
	hooks[n] = hook;
	return wish(transaction, site, hooks, n + 1);
}

int dispatch_del(struct list_head *transaction, struct site *site, struct hook *hook)
{
	struct hook *hooks[HOOKS_MAX];
	unsigned int i, n = 0;

	for (i = 0; i < site->next->nhooks; i++)
		if (site->next->hooks[i] != hook)
			hooks[n++] = site->next->hooks[i];
	return wish(transaction, site, hooks, n);
}

/* The text is changed; now the data. */
static void publish(struct site *site)
{
	bool open = site->next;
	unsigned int i;

	for (i = 0; i < site->ngates; i++) {
		struct gate *gate = &site->gates[i];

		if (gate_is_code(gate->kind))
			continue;
		if (gate->kind == MARKER_GATE_KEY && gate->open != open)
			key_set(gate->code, open);
		if (gate->kind == MARKER_GATE_SWITCH && gate->open != open)
			((marker_switch_fn *)gate->code)(open);
		gate->open = open;
	}
	if (open)
		WRITE_ONCE(site->entry->link, site->next->links);
	if (site->entry->kind == MARKER_GATE_GENERIC)
		/* The link before the flag; the site's branch orders its loads. */
		smp_store_release(&site->entry->on, open);
}

void dispatch_abort(struct list_head *transaction)
{
	struct site *site, *tmp;

	list_for_each_entry_safe(site, tmp, transaction, changed) {
		site->next = site->set;
		list_del_init(&site->changed);
	}
	free_unused_sets();
}

/*
 * A gate that is foreign while it should close may still lead to the calls: these
 * are made to lead nowhere.  If they are foreign, too, the site stays as it is.
 */
static void cut_off(struct list_head *transaction)
{
	struct site *site;
	bool reached = false;

	list_for_each_entry(site, transaction, changed)
		reached |= marker_plan_closes(site) && marker_plan_reaches(site);
	if (!reached)
		return;
	marker_plan_apply(transaction, PLAN_CUT, &dispatch_last.tidy, NULL);
	list_for_each_entry(site, transaction, changed)
		if (marker_plan_closes(site) && marker_plan_reaches(site) &&
		    marker_plan_leads_on(site))
			site->next = site->set;
}

/* What was foreign is left, and the rest goes on: see struct patch_group. */
static int change_text(struct list_head *transaction, struct patch_agreement *agreement)
{
	int ret = ghosts_change(transaction);

	if (ret)
		return ret;
	ret = marker_plan_apply(transaction, PLAN_CHANGE, &dispatch_last.patch, agreement);
	if (ret == -EBUSY && !(agreement && agreement->ret))
		ret = 0;
	if (ret)
		ghosts_undo(transaction);
	return ret;
}

/* Opens, closes, changes; then waits if a probe may still run.  */
static int change(struct list_head *transaction, struct patch_agreement *agreement)
{
	bool wait = false;
	struct site *site;
	u64 start;
	int ret;

	list_for_each_entry(site, transaction, changed) {
		site->group = (struct patch_group){ };
		/* A gate that somebody else has opened. */
		wait |= !site->set && !site->next && marker_plan_reaches(site);
		if (!site->set && site->next)
			WRITE_ONCE(site->entry->link, site->next->links);
	}
	ret = change_text(transaction, agreement);
	if (ret) {
		list_for_each_entry(site, transaction, changed)
			if (!site->set)
				WRITE_ONCE(site->entry->link, NULL);
		return ret;
	}
	list_for_each_entry(site, transaction, changed) {
		wait |= site->set && site->set != site->next;
		dispatch_last.sites++;
		if (!site->group.refused)
			publish(site);
		else if (site->set)
			/* Calls stay, so the link has to. */
			site->next = site->set;
	}
	cut_off(transaction);
	if (!wait)
		return 0;
	start = ktime_get_ns();
	quiesce();
	dispatch_last.wait_ns = ktime_get_ns() - start;
	return 0;
}

int dispatch_commit(struct list_head *transaction, struct patch_agreement *agreement)
{
	struct site *site, *tmp;
	int ret;

	if (list_empty(transaction))
		return 0;
	memset(&dispatch_last, 0, sizeof(dispatch_last));
	ret = change(transaction, agreement);
	if (ret) {
		dispatch_abort(transaction);
		return ret;
	}
	/* Should this fail, changed sites keep the dispatcher: slower, correct. */
	if (marker_plan_apply(transaction, PLAN_TIDY, &dispatch_last.tidy, NULL))
		pr_warn("markers: some calls stay as they are\n");
	list_for_each_entry_safe(site, tmp, transaction, changed) {
		if (!site->next)
			WRITE_ONCE(site->entry->link, NULL);
		set_site(site, site->next);
		list_del_init(&site->changed);
	}
	free_unused_sets();
	return 0;
}

void marker_dispatch_join_busy(struct list_head *transaction)
{
	struct marker_table *table;
	struct site *site;

	list_for_each_entry(table, &marker_tables, list)
		for (site = table->sites; site < table->sites + table->nsites; site++)
			if (list_empty(&site->changed) && marker_plan_needs_work(site))
				list_add_tail(&site->changed, transaction);
}

bool marker_dispatch_is_blocked(const struct site *site)
{
	return site->group.refused || (site->group.foreign && !site->group.done);
}

void dispatch_forget(struct site *site)
{
	set_site(site, NULL);
	free_unused_sets();
}
