// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which instructions of its sites a transaction changes, and to what.  In which
 * order that is done, and when it waits, is in dispatch.c.
 *
 * Locks: marker_mutex.
 */
#include "changes.h"

/* It gets its first probe; then the log says what is foreign even if it is known. */
static bool is_opening(const struct marker_site_state *site)
{
	return !site->set && site->next;
}

/* A CPU may have loaded a link that does not belong to the probes that the site gets. */
static bool is_changing(const struct marker_site_state *site)
{
	return site->next && site->set != site->next &&
	       (site->set || marker_changes_is_passed(site));
}

bool marker_changes_closes(const struct marker_site_state *site)
{
	return site->set && !site->next;
}

/* What the calls of a site lead to right after the change. */
static u8 *wanted_target(const struct marker_site_state *site)
{
	if (!site->next)
		return NULL;
	return is_changing(site) ? (u8 *)marker_dispatch : (u8 *)site->next->target;
}

bool marker_changes_reaches(const struct marker_site_state *site)
{
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		if (!site->gates[i].gone && (site->gates[i].open || site->gates[i].busy))
			return true;
	return false;
}

bool marker_changes_is_passed(const struct marker_site_state *site)
{
	return marker_changes_reaches(site) || marker_gate_kind_is_call(site->entry->kind);
}

static unsigned int plan_gate(struct marker_site_state *site, struct marker_gate_state *gate,
			      bool open, u8 *to, struct marker_patch *p)
{
	struct marker_gate_state after = *gate;

	open &= !gate->apart;
	if (gate->gone || (open == gate->open && to == gate->to && !gate->busy))
		return 0;
	*p = (struct marker_patch){ };
	after.to = to;
	p->addr = gate->code;
	p->len = marker_gate_encode(gate, gate->open, p->old);
	marker_gate_encode(&after, open, p->new);
	p->to = marker_gate_next(&after, open);
	p->call = open && marker_gate_kind_is_call(gate->kind);
	p->split = !gate->open && marker_gate_is_split(gate);
	p->vital = p->call && site->set && is_changing(site);
	p->known = gate->busy && !is_opening(site);
	p->group = &site->group;
	p->gate = gate;
	p->kind = gate->kind;
	p->open = open;
	return p->len && (gate->busy || memcmp(p->old, p->new, p->len));
}

static unsigned int plan_call(struct marker_site_state *site, struct marker_call_state *call,
			      u8 *to, struct marker_patch *p)
{
	if (call->gone || !to || (call->to == to && !call->busy))
		return 0;
	*p = (struct marker_patch){ };
	p->addr = call->code;
	p->len = marker_gate_encode_call(call->code, call->to, call->none, p->old);
	marker_gate_encode_call(call->code, to, call->none, p->new);
	p->to = to;
	p->call = true;
	p->quiet = !marker_changes_reaches(site);
	p->vital = true;
	p->known = call->busy && !is_opening(site);
	p->group = &site->group;
	p->insn = call;
	return 1;
}

typedef unsigned int plan_fn(struct marker_site_state *site, struct marker_patch *patches);

static unsigned int plan_gates(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; i < site->ngates; i++)
		n += plan_gate(site, &site->gates[i], site->next, wanted_target(site),
			       patches + n);
	return n;
}

static unsigned int plan_calls(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; i < site->ncalls; i++)
		n += plan_call(site, &site->calls[i], wanted_target(site), patches + n);
	return n;
}

static unsigned int plan_nothing(struct marker_site_state *site, struct marker_patch *patches)
{
	return 0;
}

/* Of a site that a foreign gate may still lead to: nothing is behind it then. */
static unsigned int plan_cut(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	if (!marker_changes_closes(site) || !marker_changes_reaches(site))
		return 0;
	for (i = 0; i < site->ncalls; i++)
		n += plan_call(site, &site->calls[i], site->calls[i].none, patches + n);
	return n;
}

/* After the wait: what is no longer used, and calls that can be direct again. */
static unsigned int plan_tidy_gates(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; site->set && i < site->ngates; i++)
		n += plan_gate(site, &site->gates[i], true, (u8 *)site->set->target,
			       patches + n);
	return n;
}

static unsigned int plan_tidy_calls(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; i < site->ncalls; i++)
		n += plan_call(site, &site->calls[i],
			       site->set ? (u8 *)site->set->target : site->calls[i].none,
			       patches + n);
	return n;
}

static const struct {
	plan_fn *gates, *calls;
} steps[] = {
	[CHANGES_CHANGE] = { plan_gates, plan_calls },
	[CHANGES_CUT] = { plan_nothing, plan_cut },
	[CHANGES_TIDY] = { plan_tidy_gates, plan_tidy_calls },
};

/* Gates, then calls: so both mostly come in the order of the text. */
int marker_changes_apply(const struct list_head *transaction, enum marker_change_step step,
			 struct marker_patch_stats *stats, struct marker_patch_agreement *agreement)
{
	unsigned int max = 0, n = 0;
	struct marker_patch *patches;
	struct marker_site_state *site;
	int ret;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(site, transaction, changed)
		max += site->ngates + site->ncalls;
	patches = kvcalloc(max + 1, sizeof(*patches), GFP_KERNEL);
	if (!patches)
		return -ENOMEM;
	list_for_each_entry(site, transaction, changed)
		n += steps[step].gates(site, patches + n);
	cond_resched();
	list_for_each_entry(site, transaction, changed)
		n += steps[step].calls(site, patches + n);
	cond_resched();
	ret = marker_patch_apply_if(patches, n, stats, agreement);
	marker_table_text_note(patches, n);
	kvfree(patches);
	return ret;
}

bool marker_changes_leads_on(const struct marker_site_state *site)
{
	unsigned int i;

	for (i = 0; i < site->ncalls; i++)
		if (!site->calls[i].gone && site->calls[i].to != site->calls[i].none)
			return true;
	return marker_gate_kind_is_call(site->entry->kind);
}

static bool gate_needs_work(const struct marker_gate_state *gate, bool open)
{
	return !gate->gone && (gate->busy || (marker_gate_kind_is_code(gate->kind) &&
					      gate->open != (open && !gate->apart)));
}

static bool call_needs_work(const struct marker_call_state *call, bool open)
{
	bool leads_on = call->to != call->none;

	return !call->gone && (call->busy || leads_on != open);
}

bool marker_changes_needs_work(const struct marker_site_state *site)
{
	bool open = site->set;
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		if (gate_needs_work(&site->gates[i], open))
			return true;
	for (i = 0; i < site->ncalls; i++)
		if (call_needs_work(&site->calls[i], open))
			return true;
	return false;
}
