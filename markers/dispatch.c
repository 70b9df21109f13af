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
 * The wait is that of quiesce.h, and up to the caller: dispatch_commit() comes
 * before it, dispatch_finish() after it.  In between, the sites of the transaction
 * change in no other way but that their module goes.
 *
 * A generic site calls what its link names, and so does a ghost: there the link
 * alone is always consistent.
 *
 * Locks: markers_mutex.
 */
#include "dispatch.h"
#include "ghosts.h"
#include "key.h"
#include "sets.h"

struct dispatch_stats dispatch_last;

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
	marker_sets_add(set);
	return set;
}

/* NULL for no hooks, ERR_PTR(-ENOMEM). */
static struct link_set *get_set(struct hook *const *hooks, unsigned int n)
{
	struct link_set *set;

	if (!n)
		return NULL;
	set = marker_sets_find(hooks, n);
	if (!set)
		set = make_set(hooks, n);
	return set ?: ERR_PTR(-ENOMEM);
}

static int stage(struct list_head *transaction, struct site *site,
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
	return stage(transaction, site, hooks, n + 1);
}

int dispatch_del(struct list_head *transaction, struct site *site,
		 bool (*leaves)(const struct hook *hook))
{
	struct hook *hooks[HOOKS_MAX];
	unsigned int i, n = 0, had = site->next ? site->next->nhooks : 0;

	for (i = 0; i < had; i++)
		if (!leaves(site->next->hooks[i]))
			hooks[n++] = site->next->hooks[i];
	return n == had ? 0 : stage(transaction, site, hooks, n);
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

	for (i = 0; site->old && site->set && i < site->ngates; i++)
		n += plan_gate(&site->gates[i], true, (u8 *)site->set->target, patches + n);
	return n;
}

static unsigned int plan_tidy_calls(const struct site *site, struct patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; site->old && i < site->ncalls; i++)
		n += plan_call(&site->calls[i],
			       site->set ? (u8 *)site->set->target : site->calls[i].none,
			       !site->set, patches + n);
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
		n += gates(site, patches + n);
	cond_resched();
	list_for_each_entry(site, transaction, changed)
		n += calls(site, patches + n);
	cond_resched();
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

static void set_switch(const struct gate *gate, bool open)
{
	if (gate->kind == MARKER_GATE_SWITCH && gate->open != open && !gate->gone)
		((marker_switch_fn *)gate->code)(open);
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
		set_switch(gate, open);
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
	marker_sets_free_unused();
}

/* What is staged and comes to nothing, such as two commands that undo each other. */
static void drop_unchanged(struct list_head *transaction)
{
	struct site *site, *tmp;

	list_for_each_entry_safe(site, tmp, transaction, changed)
		if (site->set == site->next)
			list_del_init(&site->changed);
}

/* Opens, closes, changes: all or none. */
static int change(struct list_head *transaction, struct patch_stats *stats)
{
	struct site *site;
	int ret;

	list_for_each_entry(site, transaction, changed)
		if (!site->set)
			WRITE_ONCE(site->entry->link, site->next->links);
	ret = ghosts_change(transaction);
	if (!ret) {
		ret = apply(transaction, stats, plan_gates, plan_calls);
		if (ret)
			ghosts_undo(transaction);
	}
	if (!ret)
		return 0;
	list_for_each_entry(site, transaction, changed)
		if (!site->set)
			WRITE_ONCE(site->entry->link, NULL);
	return ret;
}

int dispatch_commit(struct list_head *transaction, struct dispatch_stats *stats)
{
	struct site *site;
	int ret;

	memset(stats, 0, sizeof(*stats));
	drop_unchanged(transaction);
	ret = change(transaction, &stats->patch);
	if (ret) {
		dispatch_abort(transaction);
		return ret;
	}
	list_for_each_entry(site, transaction, changed) {
		stats->waits |= !!site->set;
		if (site->next)
			set_targets(site, wanted_target(site));
		publish(site);
		marker_sets_take_next(site);
		stats->sites++;
		cond_resched();
	}
	return 0;
}

void dispatch_finish(struct list_head *transaction, struct dispatch_stats *stats)
{
	struct site *site, *tmp;
	bool tidy = stats->waits;

	/* Should this fail, changed sites keep the dispatcher: slower, correct. */
	if (tidy && apply(transaction, &stats->tidy, plan_tidy_gates, plan_tidy_calls)) {
		pr_warn("markers: some calls stay with the dispatcher\n");
		tidy = false;
	}
	list_for_each_entry_safe(site, tmp, transaction, changed) {
		if (tidy && site->old)
			set_targets(site, site->set ? (u8 *)site->set->target : NULL);
		if (!site->set)
			WRITE_ONCE(site->entry->link, NULL);
		marker_sets_put_old(site);
		list_del_init(&site->changed);
		cond_resched();
	}
	marker_sets_free_unused();
	if (stats->sites)
		dispatch_last = *stats;
}

void dispatch_forget(struct site *site)
{
	unsigned int i;

	/* What they switch may lie elsewhere, and stays. */
	for (i = 0; i < site->ngates; i++)
		set_switch(&site->gates[i], false);
	site->next = NULL;
	marker_sets_put_old(site);
	marker_sets_take_next(site);
	marker_sets_put_old(site);
	list_del_init(&site->changed);
	marker_sets_free_unused();
}
