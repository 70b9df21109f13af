// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encoding and decoding of the gates of x86-64; their table is in gates.h.
 * Pure functions of addresses and bytes, but for a look at the length of the
 * jne behind an imm gate.
 */
#include "gate.h"

#define JMP32	0xe9
#define CALL32	0xe8
#define JMP8	0xeb

static const u8 nop5[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const u8 nop14[5] = { 0x90, 0x8d, 0x74, 0x26, 0x00 };
static const u8 nop23[5] = { 0x66, 0x66, 0x90, 0x66, 0x90 };
static const u8 nop2[2] = { 0x66, 0x90 };

static unsigned int put(u8 *bytes, const u8 *from, unsigned int len)
{
	memcpy(bytes, from, len);
	return len;
}

/* An opcode and the distance from the end of its instruction. */
static unsigned int put_rel32(u8 *bytes, u8 opcode, const u8 *code, const void *to)
{
	s32 rel = (const u8 *)to - (code + 5);

	bytes[0] = opcode;
	memcpy(bytes + 1, &rel, sizeof(rel));
	return 5;
}

static unsigned int put_rel8(u8 *bytes, u8 opcode, const u8 *code, const u8 *to)
{
	bytes[0] = opcode;
	bytes[1] = to - (code + 2);
	return 2;
}

static unsigned int put_jcc(u8 *bytes, u8 opcode, const struct marker_gate_state *gate)
{
	s32 rel = gate->cold - (gate->code + 6);

	bytes[0] = 0x0f;
	bytes[1] = opcode;
	memcpy(bytes + 2, &rel, sizeof(rel));
	return 6;
}

/* The same displacement is the operand of the NOP and the way to the pad. */
static unsigned int put_pun(u8 *bytes, u8 opcode, const struct marker_gate_state *gate)
{
	return put_rel32(bytes, opcode, gate->code, gate->pad);
}

unsigned int marker_gate_encode(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	const u8 *code = gate->code, *cold = gate->cold;

	switch (gate->kind) {
	case MARKER_GATE_IMM:
		bytes[0] = 0xb0;
		bytes[1] = open;
		return 2;
	case MARKER_GATE_JCC:
		return put_jcc(bytes, open ? 0x84 : 0x85, gate);
	case MARKER_GATE_JCC8:
		return put_rel8(bytes, open ? 0x74 : 0x75, code, cold);
	case MARKER_GATE_FLIP:
		return put_rel32(bytes, open ? JMP32 : 0xa9, code, cold);
	case MARKER_GATE_FLIP8:
		return put_rel8(bytes, open ? JMP8 : 0xa8, code, cold);
	case MARKER_GATE_PUN:
		return put_pun(bytes, open ? JMP32 : 0x0f, gate);
	case MARKER_GATE_NOP2:
		return open ? put_rel8(bytes, JMP8, code, cold) : put(bytes, nop2, 2);
	case MARKER_GATE_NOP5:
		return open ? put_rel32(bytes, JMP32, code, cold) : put(bytes, nop5, 5);
	case MARKER_GATE_NOP14:
		return open ? put_rel32(bytes, JMP32, code, cold) : put(bytes, nop14, 5);
	case MARKER_GATE_NOP23:
		return open ? put_rel32(bytes, JMP32, code, cold) : put(bytes, nop23, 5);
	case MARKER_GATE_CALL:
		return open ? put_rel32(bytes, CALL32, code, gate->to) : put(bytes, nop5, 5);
	default:
		return 0;
	}
}

unsigned int marker_gate_encode_built(const struct marker_gate_state *gate,
				      u8 bytes[MARKER_GATE_CODE_MAX])
{
	struct marker_gate_state built = *gate;

	built.kind = marker_gate_kind_built(gate->built);
	return marker_gate_encode(&built, false, bytes);
}

bool marker_gate_is_long_nop(const u8 *bytes)
{
	return bytes[0] == 0x0f && bytes[1] == 0x1f && (bytes[2] & 0xc7) == 0x44;
}

u8 *marker_gate_next(const struct marker_gate_state *gate, bool open)
{
	u8 bytes[MARKER_GATE_CODE_MAX], *jne = gate->code + 4;

	if (open)
		return gate->kind == MARKER_GATE_CALL ? gate->to : gate->cold;
	if (gate->kind == MARKER_GATE_IMM)
		return jne + (*jne == 0x75 ? 2 : 6);
	return gate->code + marker_gate_encode(gate, false, bytes);
}

bool marker_gate_is_split(const struct marker_gate_state *gate)
{
	return gate->kind == MARKER_GATE_NOP14 || gate->kind == MARKER_GATE_NOP23;
}

unsigned int marker_gate_encode_call(const u8 *code, const void *to, u8 bytes[MARKER_GATE_CODE_MAX])
{
	return put_rel32(bytes, CALL32, code, to);
}

u8 *marker_gate_decode_call(const u8 *code)
{
	s32 rel;

	if (*code != CALL32)
		return NULL;
	memcpy(&rel, code + 1, sizeof(rel));
	return (u8 *)code + 5 + rel;
}
