// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gates of x86-64 as bytes; gates.h describes their instructions, and one_byte.h has the gates
 * of which one byte changes. Pure functions of addresses and bytes.
 */
#include "encode.h"
#include "one_byte.h"

static unsigned int encode_nop5(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return open ? marker_encode_rel32(bytes, MARKER_OP_JMP32, gate->code, gate->cold) :
		      marker_encode_nop5(bytes);
}

/* A closed debug gate calls the function that the compiler chose. */
static u8 *next_debug(const struct marker_gate_state *gate)
{
	return gate->to;
}

static unsigned int encode_debug(const struct marker_gate_state *gate, bool open,
				 u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_encode_rel32(bytes, MARKER_OP_CALL32, gate->code,
				   open ? gate->cold : gate->to);
}

static unsigned int encode_debug_tail(const struct marker_gate_state *gate, bool open,
				      u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_encode_rel32(bytes, MARKER_OP_JMP32, gate->code,
				   open ? gate->cold : gate->to);
}

/* True if the NOP may be a pun gate of an earlier markers.ko; its displacement is any. */
static bool is_long_nop(const u8 *found)
{
	return found[0] == 0x0f && found[1] == 0x1f && (found[2] & 0xc7) == 0x44;
}

/* All text is in reach. */
static unsigned int encode_call(const u8 *code, const void *to, const u8 *none,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return marker_encode_rel32(bytes, MARKER_OP_CALL32, code, to);
}

static u8 *decode_call(const u8 *code)
{
	s32 rel;

	if (*code != MARKER_OP_CALL32)
		return NULL;
	memcpy(&rel, code + 1, sizeof(rel));
	return (u8 *)code + 5 + rel;
}

const struct marker_gate_arch marker_gate_arch = {
	.gates = {
		[MARKER_GATE_NOP5] = {
			.name = "nop5",
			.built = MARKER_GATE_NOP5,
			.flags = MARKER_GATE_F_CODE | MARKER_GATE_F_5BYTE,
			.encode = encode_nop5,
			.is_closed = is_long_nop,
		},
		[MARKER_GATE_DEBUG] = {
			.name = "debug",
			.built = MARKER_GATE_DEBUG,
			.flags = MARKER_GATE_F_CODE | MARKER_GATE_F_ALWAYS_CALL,
			.encode = encode_debug,
			.next = next_debug,
		},
		[MARKER_GATE_DEBUG_TAIL] = {
			.name = "debug_tail",
			.built = MARKER_GATE_DEBUG_TAIL,
			.flags = MARKER_GATE_F_CODE,
			.encode = encode_debug_tail,
			.next = next_debug,
		},
		MARKER_ONE_BYTE_GATES
	},
	.pads = MARKER_PAD_OPS,
	.kprobe = { 0xcc },	/* int3 */
	.kprobe_len = 1,
	.kprobe_jump = MARKER_OP_JMP32,
	.encode_call = encode_call,
	.decode_call = decode_call,
};
