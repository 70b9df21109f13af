// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gates of arm64 as bytes; gates.h describes their instructions. Pure functions of addresses
 * and bytes.
 */
#include "encode.h"
#include "gate.h"

#define INSN_NOP	0xd503201f
#define INSN_B		0x14000000
#define INSN_BL		0x94000000
#define BRANCH_MASK	0xfc000000	/* all but the offset of a B or BL */
#define BRANCH_REACH	(128l << 20)
#define INSN_LDR_LINK	0xf9400010	/* ldr x16, [x0] */

/* The stubs of an object, marker_call_none and marker_call_link (calls.h). */
#define CALL_LINK	4

static bool reaches(const u8 *code, const void *to)
{
	long offset = (const u8 *)to - code;

	return offset >= -BRANCH_REACH && offset < BRANCH_REACH;
}

static unsigned int put_branch(u8 *bytes, u32 insn, const u8 *code, const void *to)
{
	return marker_insn_put(bytes, insn | (((const u8 *)to - code) >> 2 & ~BRANCH_MASK));
}

static unsigned int encode_nop5(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return open ? put_branch(bytes, INSN_B, gate->code, gate->cold) :
		      marker_insn_put(bytes, INSN_NOP);
}

static unsigned int encode_call(const u8 *code, const void *to, const u8 *none,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return put_branch(bytes, INSN_BL, code, reaches(code, to) ? to : none + CALL_LINK);
}

static u8 *decode_call(const u8 *code)
{
	u32 insn = marker_insn_get(code);

	if ((insn & BRANCH_MASK) != INSN_BL)
		return NULL;
	/* The sign of the offset is its bit 25. */
	return (u8 *)code + ((s32)(insn << 6) >> 4);
}

static u8 *none_of_call(u8 *to)
{
	return marker_insn_get(to) == INSN_LDR_LINK ? to - CALL_LINK : to;
}

const struct marker_gate_arch marker_gate_arch = {
	.gates = {
		[MARKER_GATE_NOP5] = {
			.name = "nop5",
			.built = MARKER_GATE_NOP5,
			.flags = MARKER_GATE_F_CODE | MARKER_GATE_F_5BYTE,
			.encode = encode_nop5,
		},
	},
	.kprobe = { 0x80, 0x00, 0x20, 0xd4 },	/* brk #4 */
	.kprobe_len = 4,
	.encode_call = encode_call,
	.decode_call = decode_call,
	.none_of_call = none_of_call,
};
