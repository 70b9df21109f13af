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
#include "quiesce.h"

struct dispatch_stats dispatch_last;

static LIST_HEAD(unused_sets);

static bool is_dispatcher(marker_fn *func)
{
	return func == marker_dispatch || func == marker_dispatch_preempt_off;
}

void notrace marker_dispatch(MARKER_PARAMS)
{
	/* The link of a single probe, loaded before the call was changed. */
	if (!is_dispatcher(link->func)) {
		link->func(link, site, a, b, c, d);
		return;
	}
	for (link++; link->func; link++)
		link->func(link, site, a, b, c, d);
}

/* The thread's form, kept to be measured (A5 to A7). */
void notrace marker_dispatch_preempt_off(MARKER_PARAMS)
{
	preempt_disable_notrace();
	marker_dispatch(link, site, a, b, c, d);
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
		link++->func = marker_dispatch_preempt_off;
	else if (n > 1)
		link++->func = marker_dispatch;
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

/* What the calls of a site lead to right after the change. */
static u8 *wanted_target(const struct site *site)
{
	if (!site->next)
		return NULL;
	return site->set ? (u8 *)marker_dispatch : (u8 *)site->next->target;
}

static unsigned int plan_gate(const struct gate *gate, bool open, u8 *to, struct patch *p)
{
	struct gate after = *gate;

	if (gate->gone || (open == gate->open && to == gate->to))
		return 0;
	*p = (struct patch){ };
	after.to = to;
	p->addr = gate->code;
	p->len = gate_encode(gate, gate->open, p->old);
	gate_encode(&after, open, p->new);
	p->to = gate_next(&after, open);
	p->call = open && gate->kind == MARKER_GATE_CALL;
	p->split = !gate->open && gate_is_split(gate);
	return p->len && memcmp(p->old, p->new, p->len);
}

static unsigned int plan_call(const struct call *call, u8 *to, bool quiet, struct patch *p)
{
	if (call->gone || call->to == to)
		return 0;
	*p = (struct patch){ };
	p->addr = call->code;
	p->len = gate_encode_call(call->code, call->to, p->old);
	gate_encode_call(call->code, to, p->new);
	p->to = to;
	p->call = true;
	p->quiet = quiet;
	return 1;
}

typedef unsigned int plan_fn(const struct site *site, struct patch *patches);

static unsigned int plan_gates(const struct site *site, struct patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; i < site->ngates; i++)
		n += plan_gate(&site->gates[i], site->next, wanted_target(site), patches + n);
	return n;
}

static unsigned int plan_calls(const struct site *site, struct patch *patches)
{
	u8 *to = wanted_target(site);
	unsigned int i, n = 0;

	for (i = 0; to && i < site->ncalls; i++)
		n += plan_call(&site->calls[i], to, !site->set, patches + n);
	return n;
}

/* After the wait: what nobody uses any more, or can be more direct now. */
static unsigned int plan_tidy_gates(const struct site *site, struct patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; site->set && site->next && i < site->ngates; i++)
		n += plan_gate(&site->gates[i], true, (u8 *)site->next->target, patches + n);
	return n;
}

static unsigned int plan_tidy_calls(const struct site *site, struct patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; site->set && i < site->ncalls; i++)
		n += plan_call(&site->calls[i],
			       site->next ? (u8 *)site->next->target : site->calls[i].none,
			       !site->next, patches + n);
	return n;
}

/* Gates, then calls: so both mostly come in the order of the text. */
static int apply(struct list_head *transaction, struct patch_stats *stats,
		 plan_fn *gates, plan_fn *calls)
{
	unsigned int max = 0, n = 0;
	struct patch *patches;
	struct site *site;
	int ret;

	list_for_each_entry(site, transaction, changed)
		max += site->ngates + site->ncalls;
	patches = kvcalloc(max + 1, sizeof(*patches), GFP_KERNEL);
	if (!patches)
		return -ENOMEM;
	list_for_each_entry(site, transaction, changed)
		if (site->set != site->next)
			n += gates(site, patches + n);
	list_for_each_entry(site, transaction, changed)
		if (site->set != site->next)
			n += calls(site, patches + n);
	ret = patch_apply(patches, n, stats);
	kvfree(patches);
	return ret;
}

static void set_targets(struct site *site, u8 *to)
{
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		site->gates[i].to = site->gates[i].kind == MARKER_GATE_CALL ? to : NULL;
	for (i = 0; i < site->ncalls; i++)
		site->calls[i].to = to ?: site->calls[i].none;
}

/* The text is changed; now the data. */
static void publish(struct site *site)
{
	bool open = site->next;
	unsigned int i;

	for (i = 0; i < site->ngates; i++) {
		struct gate *gate = &site->gates[i];

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

/* Opens, closes, changes; then waits if a probe may still run.  */
static int change(struct list_head *transaction, bool *waited)
{
	struct site *site;
	u64 start;
	int ret;

	list_for_each_entry(site, transaction, changed)
		if (!site->set && site->next)
			WRITE_ONCE(site->entry->link, site->next->links);
	ret = ghosts_change(transaction);
	if (!ret) {
		ret = apply(transaction, &dispatch_last.patch, plan_gates, plan_calls);
		if (ret)
			ghosts_undo(transaction);
	}
	if (ret) {
		list_for_each_entry(site, transaction, changed)
			if (!site->set)
				WRITE_ONCE(site->entry->link, NULL);
		return ret;
	}
	list_for_each_entry(site, transaction, changed) {
		*waited |= site->set && site->set != site->next;
		if (site->next && site->set != site->next)
			set_targets(site, wanted_target(site));
		publish(site);
		dispatch_last.sites++;
	}
	if (!*waited)
		return 0;
	start = ktime_get_ns();
	quiesce();
	dispatch_last.wait_ns = ktime_get_ns() - start;
	return 0;
}

int dispatch_commit(struct list_head *transaction)
{
	struct site *site, *tmp;
	bool waited = false;
	int ret;

	if (list_empty(transaction))
		return 0;
	memset(&dispatch_last, 0, sizeof(dispatch_last));
	ret = change(transaction, &waited);
	if (ret) {
		dispatch_abort(transaction);
		return ret;
	}
	/* Should this fail, changed sites keep the dispatcher: slower, correct. */
	if (waited && apply(transaction, &dispatch_last.tidy, plan_tidy_gates, plan_tidy_calls))
		pr_warn("markers: some calls stay with the dispatcher\n");
	else if (waited)
		list_for_each_entry(site, transaction, changed)
			if (site->set && site->set != site->next)
				set_targets(site, site->next ? (u8 *)site->next->target : NULL);
	list_for_each_entry_safe(site, tmp, transaction, changed) {
		if (!site->next)
			WRITE_ONCE(site->entry->link, NULL);
		set_site(site, site->next);
		list_del_init(&site->changed);
	}
	free_unused_sets();
	return 0;
}

void dispatch_forget(struct site *site)
{
	set_site(site, NULL);
	free_unused_sets();
}
