// SPDX-License-Identifier: GPL-2.0-only
/* What all architectures agree on about gates: their names and families. */
#include "gate.h"

static const char *const names[MARKER_GATE_KINDS] = {
	[MARKER_GATE_GENERIC] = "generic",
	[MARKER_GATE_IMM] = "imm",
	[MARKER_GATE_NOP5] = "nop5",
	[MARKER_GATE_FLIP] = "flip",
	[MARKER_GATE_KEY] = "key",
	[MARKER_GATE_AUTO] = "auto",
	[MARKER_GATE_PUN] = "pun",
	[MARKER_GATE_NOP2] = "nop2",
	[MARKER_GATE_NOP14] = "nop14",
	[MARKER_GATE_NOP23] = "nop23",
	[MARKER_GATE_JCC] = "jcc",
	[MARKER_GATE_JCC8] = "jcc8",
	[MARKER_GATE_FLIP8] = "flip8",
	[MARKER_GATE_CALL] = "call",
	[MARKER_GATE_KPROBE] = "kprobe",
	[MARKER_GATE_SWITCH] = "switch",
};

const char *marker_gate_kind_name(unsigned int kind)
{
	return kind < MARKER_GATE_KINDS ? names[kind] : "unknown";
}

int marker_gate_kind_parse(const char *name)
{
	unsigned int kind;

	for (kind = 0; kind < MARKER_GATE_KINDS; kind++)
		if (!strcmp(names[kind], name))
			return kind;
	return -EINVAL;
}

bool marker_gate_kind_is_code(unsigned int kind)
{
	return kind != MARKER_GATE_GENERIC && kind != MARKER_GATE_KEY &&
	       kind != MARKER_GATE_KPROBE && kind != MARKER_GATE_SWITCH;
}

bool marker_gate_kind_is_5byte(unsigned int kind)
{
	return kind == MARKER_GATE_NOP5 || kind == MARKER_GATE_FLIP ||
	       kind == MARKER_GATE_PUN;
}

unsigned int marker_gate_kind_built(unsigned int kind)
{
	switch (kind) {
	case MARKER_GATE_AUTO:
	case MARKER_GATE_PUN:
	case MARKER_GATE_FLIP:
		return MARKER_GATE_NOP5;
	case MARKER_GATE_FLIP8:
		return MARKER_GATE_NOP2;
	default:
		return kind;
	}
}

/* Whether a gate of the kind @gate has may be found as one of @kind. */
static bool may_be(const struct marker_gate_state *gate, unsigned int kind)
{
	if (kind == MARKER_GATE_PUN && !gate->pad)
		return false;
	return kind == gate->kind ||
	       (marker_gate_kind_is_5byte(kind) &&
		marker_gate_kind_is_5byte(marker_gate_kind_built(gate->built))) ||
	       (gate->built == MARKER_GATE_FLIP8 &&
		marker_gate_kind_built(kind) == MARKER_GATE_NOP2);
}

bool marker_gate_recognise(const struct marker_gate_state *gate, const u8 *found, bool *open)
{
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
	return gate->kind == MARKER_GATE_NOP5 && marker_gate_is_long_nop(found);
}
