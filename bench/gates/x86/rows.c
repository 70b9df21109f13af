// SPDX-License-Identifier: GPL-2.0-only
/* The gates of this folder on x86-64 as bytes; code.h has their instructions. */
#define MARKER_BENCH_GATES_HERE	/* this object is part of marker_gates.ko */
#include "bench_gates.h"
#include "encode.h"

#define JMP8	0xeb

static const u8 nop14[5] = { 0x90, 0x8d, 0x74, 0x26, 0x00 };
static const u8 nop23[5] = { 0x66, 0x66, 0x90, 0x66, 0x90 };
static const u8 nop2[2] = { 0x66, 0x90 };

static unsigned int put(u8 *bytes, const u8 *from, unsigned int len)
{
	memcpy(bytes, from, len);
	return len;
}

static unsigned int put_rel8(u8 *bytes, u8 opcode, const struct marker_gate_state *gate)
{
	bytes[0] = opcode;
	bytes[1] = gate->cold - (gate->code + 2);
	return 2;
}

static unsigned int put_jmp32(u8 *bytes, const struct marker_gate_state *gate)
{
	return marker_encode_rel32(bytes, MARKER_OP_JMP32, gate->code, gate->cold);
}

static unsigned int encode_nop2(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return open ? put_rel8(bytes, JMP8, gate) : put(bytes, nop2, sizeof(nop2));
}

static unsigned int encode_nop14(const struct marker_gate_state *gate, bool open,
				 u8 bytes[MARKER_GATE_CODE_MAX])
{
	return open ? put_jmp32(bytes, gate) : put(bytes, nop14, sizeof(nop14));
}

static unsigned int encode_nop23(const struct marker_gate_state *gate, bool open,
				 u8 bytes[MARKER_GATE_CODE_MAX])
{
	return open ? put_jmp32(bytes, gate) : put(bytes, nop23, sizeof(nop23));
}

static unsigned int encode_jcc(const struct marker_gate_state *gate, bool open,
			       u8 bytes[MARKER_GATE_CODE_MAX])
{
	s32 rel = gate->cold - (gate->code + 6);

	bytes[0] = 0x0f;
	bytes[1] = open ? 0x84 : 0x85;
	memcpy(bytes + 2, &rel, sizeof(rel));
	return 6;
}

static unsigned int encode_jcc8(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return put_rel8(bytes, open ? 0x74 : 0x75, gate);
}

static unsigned int encode_flip8(const struct marker_gate_state *gate, bool open,
				 u8 bytes[MARKER_GATE_CODE_MAX])
{
	return put_rel8(bytes, open ? JMP8 : 0xa8, gate);
}

static unsigned int encode_call(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return open ? marker_encode_rel32(bytes, MARKER_OP_CALL32, gate->code, gate->to) :
		      marker_encode_nop5(bytes);
}

#define ROW(_name, NAME, BUILT, more)					\
	{								\
		.name = #_name,						\
		.kind = MARKER_GATE_##NAME,				\
		.built = MARKER_GATE_##BUILT,				\
		.flags = MARKER_GATE_F_CODE | (more),			\
		.encode = encode_##_name,				\
	}

const struct marker_gate_ops MARKER_GATE_OPS[] = {
	ROW(nop2, NOP2, NOP2, 0),
	ROW(nop14, NOP14, NOP14, MARKER_GATE_F_SPLIT),
	ROW(nop23, NOP23, NOP23, MARKER_GATE_F_SPLIT),
	ROW(jcc, JCC, JCC, 0),
	ROW(jcc8, JCC8, JCC8, 0),
	ROW(flip8, FLIP8, NOP2, 0),
	ROW(call, CALL, CALL, MARKER_GATE_F_CALL),
	{ }
};
