// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute which instructions of its sites a transaction changes, and their new bytes.  The
 * order of the changes, and the waits between them, are in dispatch.c.
 *
 * Locks: marker_mutex.
 */
#include "changes.h"

enum marker_site_reach marker_site_reach(const struct marker_site_state *site)
{
	unsigned int i;

	for (i = 0; i < site->ngates; i++)
		if (!site->gates[i].gone && (site->gates[i].open || site->gates[i].busy))
			return SITE_REACHES_BLOCK;
	return marker_gate_kind_is_call(site->entry->kind) ? SITE_REACHES_CALL :
							     SITE_REACHES_NOTHING;
}

enum marker_site_change marker_site_change(const struct marker_site_state *site)
{
	if (site->set == site->next)
		return SITE_KEEPS;
	if (!site->next)
		return SITE_CLOSES;
	if (site->set)
		return SITE_CHANGES;
	return marker_site_reach(site) == SITE_REACHES_NOTHING ? SITE_OPENS : SITE_OPENS_LIVE;
}

/* The log names unexpected bytes again, even known ones, when a site gets its first probe. */
static bool site_opens(const struct marker_site_state *site)
{
	return !site->set && site->next;
}

/* Return the target of a site's calls right after the change; NULL: the present target. */
static u8 *site_target(const struct marker_site_state *site)
{
	switch (marker_site_change(site)) {
	case SITE_CHANGES:
	case SITE_OPENS_LIVE:
		/* A CPU may have loaded a link that does not belong to the new probes. */
		return (u8 *)marker_dispatch;
	default:
		return site->next ? (u8 *)site->next->target : NULL;
	}
}

static unsigned int plan_gate(struct marker_site_state *site, struct marker_gate_state *gate,
			      bool open, u8 *to, struct marker_patch *p)
{
	struct marker_gate_state after = *gate;

	open &= !gate->excluded;
	if (marker_gate_kind_is_call(gate->kind))
		after.to = to;
	if (gate->gone || (open == gate->open && after.to == gate->to && !gate->busy))
		return 0;
	*p = (struct marker_patch){ };
	p->addr = gate->code;
	p->len = marker_gate_encode(gate, gate->open, p->old);
	marker_gate_encode(&after, open, p->new);
	p->to = marker_gate_next(&after, open);
	p->call = marker_gate_kind_calls(gate->kind, open);
	p->split = !gate->open && marker_gate_is_split(gate);
	p->vital = open && marker_gate_kind_is_call(gate->kind) &&
		   marker_site_change(site) == SITE_CHANGES;
	p->known = gate->busy && !site_opens(site);
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
	p->quiet = marker_site_reach(site) != SITE_REACHES_BLOCK;
	p->vital = true;
	p->known = call->busy && !site_opens(site);
	p->group = &site->group;
	p->insn = call;
	return 1;
}

typedef unsigned int plan_fn(struct marker_site_state *site, struct marker_patch *patches);

static unsigned int plan_gates(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; i < site->ngates; i++)
		n += plan_gate(site, &site->gates[i], site->next, site_target(site),
			       patches + n);
	return n;
}

static unsigned int plan_calls(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	for (i = 0; i < site->ncalls; i++)
		n += plan_call(site, &site->calls[i], site_target(site), patches + n);
	return n;
}

static unsigned int plan_nothing(struct marker_site_state *site, struct marker_patch *patches)
{
	return 0;
}

/* Empty the calls of a site that closes while a foreign gate may still lead to them. */
static unsigned int plan_cut(struct marker_site_state *site, struct marker_patch *patches)
{
	unsigned int i, n = 0;

	if (marker_site_change(site) != SITE_CLOSES ||
	    marker_site_reach(site) != SITE_REACHES_BLOCK)
		return 0;
	for (i = 0; i < site->ncalls; i++)
		n += plan_call(site, &site->calls[i], site->calls[i].none, patches + n);
	return n;
}

/* Plan the gates in the step after the wait, when calls can be direct again. */
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

static void changes_end(struct marker_changes *changes)
{
	marker_table_text_note(changes->patches, changes->n);
	kvfree(changes->patches);
}

/* Gates, then calls: so both mostly come in the order of the text. */
int marker_changes_begin(struct marker_changes *changes, const struct list_head *transaction,
			 enum marker_change_step step)
{
	unsigned int max = 0, n = 0;
	struct marker_patch *patches;
	struct marker_site_state *site;
	int ret;

	lockdep_assert_held(&marker_mutex);
	list_for_each_entry(site, transaction, changed)
		max += site->ngates + site->ncalls;
	patches = kvcalloc(max, sizeof(*patches), GFP_KERNEL);
	if (!patches)
		return -ENOMEM;
	list_for_each_entry(site, transaction, changed)
		n += steps[step].gates(site, patches + n);
	cond_resched();
	list_for_each_entry(site, transaction, changed)
		n += steps[step].calls(site, patches + n);
	cond_resched();
	*changes = (struct marker_changes){ patches, n };
	ret = marker_patch_begin(patches, n);
	if (ret)
		changes_end(changes);
	return ret;
}

int marker_changes_commit(struct marker_changes *changes, struct marker_patch_stats *stats)
{
	int ret = marker_patch_commit(changes->patches, changes->n, stats);

	changes_end(changes);
	return ret;
}

void marker_changes_cancel(struct marker_changes *changes)
{
	marker_patch_cancel(changes->patches, changes->n);
	changes_end(changes);
}

bool marker_site_calls_probe(const struct marker_site_state *site)
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
					      gate->open != (open && !gate->excluded)));
}

static bool call_needs_work(const struct marker_call_state *call, bool open)
{
	bool leads_on = call->to != call->none;

	return !call->gone && (call->busy || leads_on != open);
}

bool marker_site_needs_work(const struct marker_site_state *site)
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
