// SPDX-License-Identifier: GPL-2.0-only
/* The kinds of gates: finding the row of a kind, and code that all rows share. */
#include "gate.h"

/* Kinds that are not code on any architecture. */
static const struct marker_gate_ops plain[MARKER_GATE_KINDS] = {
	[MARKER_GATE_GENERIC] = {
		.name = "generic",
		.built = MARKER_GATE_GENERIC,
	},
	[MARKER_GATE_KEY] = {
		.name = "key",
		.built = MARKER_GATE_KEY,
	},
	/* A kind of sites, not of gates: markers.ko has replaced it by another kind. */
	[MARKER_GATE_AUTO] = {
		.name = "auto",
		.built = MARKER_GATE_NOP5,
		.flags = MARKER_GATE_F_CODE,
	},
	[MARKER_GATE_KPROBE] = {
		.name = "kprobe",
		.built = MARKER_GATE_KPROBE,
	},
	[MARKER_GATE_SWITCH] = {
		.name = "switch",
		.built = MARKER_GATE_SWITCH,
	},
	[MARKER_GATE_DEBUG_KPROBE] = {
		.name = "debug_kprobe",
		.built = MARKER_GATE_DEBUG_KPROBE,
	},
};

/*
 * Kinds that modules have registered. Written under marker_mutex. A reader without that lock asks
 * for the kind of a site, whose module keeps the rows from going.
 */
static const struct marker_gate_ops *added[MARKER_GATE_KINDS];

const struct marker_gate_ops *marker_gate_ops(unsigned int kind)
{
	if (kind >= MARKER_GATE_KINDS)
		return NULL;
	if (plain[kind].name)
		return &plain[kind];
	if (marker_gate_arch.gates[kind].name)
		return &marker_gate_arch.gates[kind];
	return READ_ONCE(added[kind]);
}

const char *marker_gate_kind_name(unsigned int kind)
{
	const struct marker_gate_ops *ops = marker_gate_ops(kind);

	return ops ? ops->name : "unknown";
}

int marker_gate_kind_parse(const char *name)
{
	const struct marker_gate_ops *ops;
	unsigned int kind;

	for (kind = 0; kind < MARKER_GATE_KINDS; kind++) {
		ops = marker_gate_ops(kind);
		if (ops && !strcmp(ops->name, name))
			return kind;
	}
	return -EINVAL;
}

static bool has_flag(unsigned int kind, unsigned int flag)
{
	const struct marker_gate_ops *ops = marker_gate_ops(kind);

	return ops && ops->flags & flag;
}

bool marker_gate_kind_is_code(unsigned int kind)
{
	return has_flag(kind, MARKER_GATE_F_CODE);
}

bool marker_gate_kind_is_5byte(unsigned int kind)
{
	return has_flag(kind, MARKER_GATE_F_5BYTE);
}

bool marker_gate_kind_is_call(unsigned int kind)
{
	return has_flag(kind, MARKER_GATE_F_CALL);
}

bool marker_gate_kind_calls(unsigned int kind, bool open)
{
	return has_flag(kind, MARKER_GATE_F_ALWAYS_CALL) ||
	       (open && marker_gate_kind_is_call(kind));
}

bool marker_gate_is_split(const struct marker_gate_state *gate)
{
	return has_flag(gate->kind, MARKER_GATE_F_SPLIT);
}

unsigned int marker_gate_kind_built(unsigned int kind)
{
	const struct marker_gate_ops *ops = marker_gate_ops(kind);

	return ops ? ops->built : kind;
}

unsigned int marker_gate_encode(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	const struct marker_gate_ops *ops = marker_gate_ops(gate->kind);

	return ops && ops->encode ? ops->encode(gate, open, bytes) : 0;
}

unsigned int marker_gate_encode_built(const struct marker_gate_state *gate,
				      u8 bytes[MARKER_GATE_CODE_MAX])
{
	struct marker_gate_state built = *gate;

	built.kind = marker_gate_kind_built(gate->built);
	return marker_gate_encode(&built, false, bytes);
}

u8 *marker_gate_next(const struct marker_gate_state *gate, bool open)
{
	const struct marker_gate_ops *ops = marker_gate_ops(gate->kind);
	u8 bytes[MARKER_GATE_CODE_MAX];

	if (open)
		return has_flag(gate->kind, MARKER_GATE_F_CALL) ? gate->to : gate->cold;
	if (ops && ops->next)
		return ops->next(gate);
	return gate->code + marker_gate_encode(gate, false, bytes);
}

/* True if a gate of the kind @gate has may be found as one of @kind. */
static bool may_be(const struct marker_gate_state *gate, unsigned int kind)
{
	if (kind == MARKER_GATE_PUN && !gate->pad)
		return false;
	return kind == gate->kind ||
	       marker_gate_kind_built(kind) == marker_gate_kind_built(gate->built);
}

bool marker_gate_recognise(const struct marker_gate_state *gate, const u8 *found, bool *open)
{
	const struct marker_gate_ops *ops = marker_gate_ops(gate->kind);
	struct marker_gate_state as = *gate;
	u8 bytes[MARKER_GATE_CODE_MAX];
	unsigned int len, i;

	for (i = 0; i < 2 * MARKER_GATE_KINDS; i++) {
		as.kind = i / 2;
		*open = i % 2;
		len = may_be(gate, as.kind) ? marker_gate_encode(&as, *open, bytes) : 0;
		if (len && !memcmp(found, bytes, len))
			return true;
	}
	*open = false;
	return ops && ops->is_closed && ops->is_closed(found);
}

unsigned int marker_gate_encode_call(const u8 *code, const void *to, const u8 *none,
				     u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_gate_arch.encode_call ?
	       marker_gate_arch.encode_call(code, to, none, bytes) : 0;
}

u8 *marker_gate_decode_call(const u8 *code)
{
	return marker_gate_arch.decode_call ? marker_gate_arch.decode_call(code) : NULL;
}

u8 *marker_gate_none_of_call(u8 *to)
{
	return marker_gate_arch.none_of_call ? marker_gate_arch.none_of_call(to) : to;
}

u8 *marker_pad_alloc(const u8 *code)
{
	return marker_gate_arch.pads ? marker_gate_arch.pads->alloc(code) : NULL;
}

void marker_pad_free(u8 *pad)
{
	marker_gate_arch.pads->free(pad);
}

unsigned int marker_pad_encode(const u8 *pad, const u8 *cold, u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_gate_arch.pads ? marker_gate_arch.pads->encode(pad, cold, bytes) : 0;
}

void marker_pad_usage(unsigned int *used, unsigned int *bytes)
{
	*used = 0;
	*bytes = 0;
	if (marker_gate_arch.pads)
		marker_gate_arch.pads->usage(used, bytes);
}

/* True if @row has no bytes of its own: the compiler leaves those of another row for it. */
static bool is_built_of(const struct marker_gate_ops *row, const struct marker_gate_ops *ops)
{
	if (marker_gate_ops(row->built))
		return true;
	for (; ops->name; ops++)
		if (ops->kind == row->built && ops->built == row->built)
			return true;
	return false;
}

static int check_row(const struct marker_gate_ops *row, const struct marker_gate_ops *ops)
{
	const struct marker_gate_ops *other;

	if ((row->kind < MARKER_GATE_OTHERS && marker_gate_ops(row->kind)) ||
	    row->kind > MARKER_GATE_OTHERS_LAST || !is_built_of(row, ops) ||
	    !row->encode != !(row->flags & MARKER_GATE_F_CODE))
		return -EINVAL;
	if (marker_gate_ops(row->kind) || marker_gate_kind_parse(row->name) >= 0)
		return -EEXIST;
	for (other = ops; other < row; other++)
		if (other->kind == row->kind || !strcmp(other->name, row->name))
			return -EEXIST;
	return 0;
}

int marker_gate_ops_add(const struct marker_gate_ops *ops, const struct marker_gate_ops **bad)
{
	const struct marker_gate_ops *row;
	int ret;

	if (ops->name && ops->kind < MARKER_GATE_KINDS && added[ops->kind] == ops)
		return 0;
	for (row = ops; row->name; row++) {
		*bad = row;
		ret = check_row(row, ops);
		if (ret)
			return ret;
	}
	for (row = ops; row->name; row++)
		WRITE_ONCE(added[row->kind], row);
	return 0;
}

void marker_gate_ops_remove(const struct marker_gate_ops *ops)
{
	for (; ops->name; ops++)
		if (ops->kind < MARKER_GATE_KINDS && added[ops->kind] == ops)
			WRITE_ONCE(added[ops->kind], NULL);
}

bool marker_gate_ops_has(const struct marker_gate_ops *ops, const struct marker_gate_ops *row)
{
	for (; ops->name; ops++)
		if (ops == row)
			return true;
	return false;
}
