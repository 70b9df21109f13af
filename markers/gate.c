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
	[MARKER_GATE_GHOST] = "ghost",
	[MARKER_GATE_SWITCH] = "switch",
};

const char *gate_kind_name(unsigned int kind)
{
	return kind < MARKER_GATE_KINDS ? names[kind] : "unknown";
}

int gate_kind_parse(const char *name)
{
	unsigned int kind;

	for (kind = 0; kind < MARKER_GATE_KINDS; kind++)
		if (!strcmp(names[kind], name))
			return kind;
	return -EINVAL;
}

bool gate_is_code(unsigned int kind)
{
	return kind != MARKER_GATE_GENERIC && kind != MARKER_GATE_KEY &&
	       kind != MARKER_GATE_GHOST && kind != MARKER_GATE_SWITCH;
}

bool gate_is_5byte(unsigned int kind)
{
	return kind == MARKER_GATE_NOP5 || kind == MARKER_GATE_FLIP ||
	       kind == MARKER_GATE_PUN;
}
