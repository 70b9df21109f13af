/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of x86-64 of which one byte changes, as bytes.  Included by the file that has
 * the rows.
 */
#ifndef MARKERS_ARCH_ONE_BYTE_H
#define MARKERS_ARCH_ONE_BYTE_H

#include "encode.h"
#include "pad.h"

static unsigned int encode_imm(const struct marker_gate_state *gate, bool open,
			       u8 bytes[MARKER_GATE_CODE_MAX])
{
	bytes[0] = 0xb0;
	bytes[1] = open;
	return 2;
}

static u8 *next_imm(const struct marker_gate_state *gate)
{
	u8 *jne = gate->code + 4;

	return jne + (*jne == 0x75 ? 2 : 6);
}

static unsigned int encode_flip(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_encode_rel32(bytes, open ? MARKER_OP_JMP32 : 0xa9, gate->code, gate->cold);
}

/* Encode a pun gate: one displacement is the operand of the NOP and the way to the pad. */
static unsigned int encode_pun(const struct marker_gate_state *gate, bool open,
			       u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_encode_rel32(bytes, open ? MARKER_OP_JMP32 : 0x0f, gate->code, gate->pad);
}

#define MARKER_ROW_IMM							\
{									\
	.name = "imm",							\
	.built = MARKER_GATE_IMM,					\
	.flags = MARKER_GATE_F_CODE,					\
	.encode = encode_imm,						\
	.next = next_imm,						\
}

#define MARKER_ROW_5BYTE(_name)						\
{									\
	.name = #_name,							\
	.built = MARKER_GATE_NOP5,					\
	.flags = MARKER_GATE_F_CODE | MARKER_GATE_F_5BYTE,		\
	.encode = encode_##_name,					\
}

/* In the table of the architecture, each at its kind. */
#define MARKER_ONE_BYTE_GATES						\
	[MARKER_GATE_IMM] = MARKER_ROW_IMM,				\
	[MARKER_GATE_FLIP] = MARKER_ROW_5BYTE(flip),		\
	[MARKER_GATE_PUN] = MARKER_ROW_5BYTE(pun),

#endif
