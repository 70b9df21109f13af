// SPDX-License-Identifier: GPL-2.0-only
/*
 * Change the text of a table's gates and calls when its module is coming and going, and note
 * the ones with foreign bytes.
 *
 * Locks: everything under marker_mutex.
 */
#include "owner.h"
#include "patch.h"
#include "quiesce.h"
#include "table_text.h"

enum marker_gate_kind marker_auto_kind = MARKER_GATE_NOP5;
bool marker_may_patch = true;
unsigned int marker_table_text_busy;

/* Set a busy flag.  Foreign bytes may lead into markers.ko at any time: they keep it loaded. */
static void set_busy(bool *busy, bool now)
{
	if (*busy == now || !marker_may_patch)
		return;
	*busy = now;
	if (now && !marker_table_text_busy++)
		__module_get(THIS_MODULE);
	else if (!now && !--marker_table_text_busy)
		module_put(THIS_MODULE);
}

void marker_table_text_set_busy(bool *busy)
{
	lockdep_assert_held(&marker_mutex);
	set_busy(busy, true);
}

void marker_table_text_note(const struct marker_patch *patches, unsigned int n)
{
	const struct marker_patch *p;

	lockdep_assert_held(&marker_mutex);
	for (p = patches; p < patches + n; p++) {
		bool done = marker_patch_is_done(p), foreign = p->found == PATCH_FOREIGN;

		if (p->gate && (done || foreign))
			set_busy(&p->gate->busy, foreign);
		if (p->insn && (done || foreign))
			set_busy(&p->insn->busy, foreign);
		if (p->gate && done) {
			p->gate->kind = p->kind;
			p->gate->open = p->open;
			if (marker_gate_kind_is_call(p->kind))
				p->gate->to = p->open ? p->to : NULL;
		}
		if (p->insn && done)
			p->insn->to = p->to;
	}
}

void marker_table_text_forget(struct marker_table *table)
{
	unsigned int i;

	lockdep_assert_held(&marker_mutex);
	for (i = 0; i < table->ngates; i++)
		set_busy(&table->gates[i].busy, false);
	for (i = 0; i < table->ncalls; i++)
		set_busy(&table->calls[i].busy, false);
}

static void patch_pad(struct marker_patch *patch, const struct marker_gate_state *gate, bool use)
{
	patch->addr = gate->pad;
	patch->quiet = true;
	patch->len = marker_pad_encode(gate->pad, use ? gate->cold : NULL, patch->new);
	memcpy(patch->old, gate->pad, patch->len);
}

/* Choose the kind that the gate becomes; a pun gate gets a pad. */
static enum marker_gate_kind choose_kind(struct marker_gate_state *gate)
{
	enum marker_gate_kind kind = gate->built == MARKER_GATE_AUTO ?
				     marker_auto_kind : gate->built;

	if (kind != MARKER_GATE_PUN)
		return kind;
	gate->pad = gate->pad ?: marker_pad_alloc(gate->code);
	return gate->pad ? kind : MARKER_GATE_FLIP;
}

/*
 * Plan a patch that closes a gate and gives it the kind @after, from the known kind of the found
 * bytes. If these are unknown, the patch expects the previous bytes, and will report the
 * difference. Return true if the gate is open.
 */
static bool plan_gate(struct marker_patch *p, struct marker_gate_state *gate,
		      const struct marker_gate_state *after, bool quiet)
{
	u8 found[MARKER_GATE_CODE_MAX];
	bool open;

	p->addr = gate->code;
	p->len = marker_gate_encode(gate, gate->open, p->old);
	memcpy(found, gate->code, p->len);
	if (marker_gate_recognise(gate, found, &open))
		memcpy(p->old, found, p->len);
	marker_gate_encode(after, false, p->new);
	p->to = marker_gate_next(after, false);
	p->call = marker_gate_kind_calls(after->kind, false);
	p->quiet = quiet;
	p->known = gate->busy;
	p->gate = gate;
	p->kind = after->kind;
	return open;
}

/* Adopt a busy gate if its bytes are those of its kind, closed or open. */
static bool adopt(struct marker_gate_state *gate)
{
	u8 bytes[MARKER_GATE_CODE_MAX];
	unsigned int len, open;

	for (open = 0; open < 2; open++) {
		len = marker_gate_encode(gate, open, bytes);
		if (memcmp(gate->code, bytes, len))
			continue;
		gate->open = open;
		set_busy(&gate->busy, false);
		return true;
	}
	return false;
}

/*
 * Gives a gate its kind, pun becoming flip where no pad is available; and closes it, if
 * it was left open.  Two patches at most: the gate and its pad.
 */
static unsigned int settle_gate(struct marker_gate_state *gate, bool quiet,
				struct marker_patch *patches, bool *open)
{
	struct marker_patch *p = patches;
	struct marker_gate_state after;

	if (gate->gone)
		set_busy(&gate->busy, false);
	if (gate->gone || !marker_gate_kind_is_code(gate->kind))
		return 0;
	after = *gate;
	after.kind = choose_kind(gate);
	after.pad = gate->pad;
	if (gate->busy && gate->kind == after.kind && adopt(gate))
		return 0;
	if (after.kind == MARKER_GATE_PUN && gate->kind != after.kind)
		patch_pad(p++, gate, true);
	*open |= plan_gate(p++, gate, &after, quiet);
	return p - patches;
}

/* A call that leads elsewhere than to its none was left so by another markers.ko. */
static unsigned int settle_call(const struct marker_table *table, struct marker_call_state *call,
				bool quiet, struct marker_patch *p)
{
	u8 *to;

	if (call->gone) {
		set_busy(&call->busy, false);
		return 0;
	}
	to = marker_gate_decode_call(call->code);
	if (!call->none && to && marker_owner_has(table->mod, to))
		call->none = marker_gate_none_of_call(to);
	if (call->busy && to && to == call->to) {
		set_busy(&call->busy, false);
		return 0;
	}
	if (!call->none || (to == call->none && !call->busy))
		return 0;
	p->addr = call->code;
	p->len = marker_gate_encode_call(call->code, to ?: call->none, call->none, p->old);
	marker_gate_encode_call(call->code, call->none, call->none, p->new);
	p->to = call->none;
	p->call = true;
	p->quiet = quiet;
	p->known = call->busy;
	p->insn = call;
	return 1;
}

/*
 * Patch the busy gates and calls, or all. No CPU is any more behind a gate that was open and is
 * closed now. 0, or the errors of marker_patch_apply().
 */
static int settle(struct marker_table *table, bool quiet, bool all)
{
	struct marker_patch *patches;
	unsigned int i, n = 0;
	bool open = false;
	int ret;

	patches = kvcalloc(2 * table->ngates + table->ncalls, sizeof(*patches), GFP_KERNEL);
	if (!patches)
		return -ENOMEM;
	for (i = 0; i < table->ngates; i++)
		if (all || table->gates[i].busy)
			n += settle_gate(&table->gates[i], quiet, patches + n, &open);
	for (i = 0; i < table->ncalls; i++)
		if (all || table->calls[i].busy)
			n += settle_call(table, &table->calls[i], quiet, patches + n);
	ret = marker_patch_apply(patches, n, NULL);
	marker_table_text_note(patches, n);
	kvfree(patches);
	if (open)
		marker_quiesce();
	return ret;
}

int marker_table_text_prepare(struct marker_table *table, bool quiet)
{
	lockdep_assert_held(&marker_mutex);
	return settle(table, quiet, true);
}

void marker_table_text_retry(struct marker_table *table)
{
	lockdep_assert_held(&marker_mutex);
	settle(table, false, false);
}

/* True if any was open. */
static bool plan_built(struct marker_table *table, struct marker_patch *patches, unsigned int *n)
{
	struct marker_gate_state *gate, after;
	bool open = false;
	unsigned int i;

	for (gate = table->gates; gate < table->gates + table->ngates; gate++) {
		if (gate->gone || !marker_gate_kind_is_code(gate->kind))
			continue;
		after = *gate;
		after.kind = marker_gate_kind_built(gate->built);
		open |= plan_gate(&patches[(*n)++], gate, &after, false);
	}
	for (i = 0; i < table->ncalls; i++)
		*n += settle_call(table, &table->calls[i], false, patches + *n);
	return open;
}

/* Put the text back as it was built; gates and calls that cannot be put back become busy. */
static int restore(struct marker_table *table)
{
	struct marker_patch *patches =
		kvcalloc(table->ngates + table->ncalls, sizeof(*patches), GFP_KERNEL);
	unsigned int n = 0;
	bool open;
	int ret;

	if (!patches)
		return -ENOMEM;
	open = plan_built(table, patches, &n);
	ret = marker_patch_apply(patches, n, NULL);
	marker_table_text_note(patches, n);
	kvfree(patches);
	if (open)
		marker_quiesce();
	return ret;
}

/* Write int3 over the pads, which no jump reaches any more. */
void marker_table_text_clear_pads(struct marker_table *table)
{
	struct marker_patch *patches = kvcalloc(table->ngates, sizeof(*patches), GFP_KERNEL);
	unsigned int i, n = 0;

	lockdep_assert_held(&marker_mutex);
	if (!patches)
		return;
	for (i = 0; i < table->ngates; i++)
		if (table->gates[i].pad)
			patch_pad(&patches[n++], &table->gates[i], false);
	marker_patch_apply(patches, n, NULL);
	kvfree(patches);
}

int marker_table_text_restore(struct marker_table *table)
{
	int ret;

	lockdep_assert_held(&marker_mutex);
	ret = restore(table);
	if (ret)
		pr_err("%s: text cannot be restored: %pe; unloading waits for it\n",
		       module_name(table->mod), ERR_PTR(ret));
	return ret;
}
