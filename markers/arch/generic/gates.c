// SPDX-License-Identifier: GPL-2.0-only
/*
 * An architecture without code gates: no bytes, no pads, no calls to patch. There are no sites of
 * these kinds; the rows have the names that the parameter "gate" accepts.
 */
#include "gate.h"

#define GATE(_kind, _name, _built, more)				\
	[_kind] = {							\
		.name = _name,						\
		.kind = _kind,						\
		.built = _built,					\
		.flags = MARKER_GATE_F_CODE | (more),			\
	}

const struct marker_gate_arch marker_gate_arch = {
	.gates = {
		GATE(MARKER_GATE_IMM, "imm", MARKER_GATE_IMM, 0),
		GATE(MARKER_GATE_NOP5, "nop5", MARKER_GATE_NOP5, MARKER_GATE_F_5BYTE),
		GATE(MARKER_GATE_FLIP, "flip", MARKER_GATE_NOP5, MARKER_GATE_F_5BYTE),
		GATE(MARKER_GATE_PUN, "pun", MARKER_GATE_NOP5, MARKER_GATE_F_5BYTE),
	},
};
