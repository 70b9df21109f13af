// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds which function a debug site calls on arm64, and with which format.  Calls are not
 * diverted: a kprobe at the function takes them.
 */
#include "debug_call.h"
#include "debug_take.h"
#include "encode.h"

#define INSN_BYTES	4
#define REGISTERS	31
#define SCRATCH_REGISTERS 19	/* x0 to x18, which a call may change */
#define INSN_BR_X16	0xd61f0200

const struct marker_debug_function marker_debug_functions[] = {
	{ __dynamic_pr_debug, NULL, marker_debug_take_pr, DEBUG_SLOT_SECOND, 0 },
	{ __dynamic_dev_dbg, NULL, marker_debug_take_dev, DEBUG_SLOT_THIRD, 2 },
	{ __dynamic_netdev_dbg, NULL, marker_debug_take_netdev, DEBUG_SLOT_THIRD, 1 },
	{ }
};

static bool is_adrp(u32 insn)
{
	return (insn & 0x9f000000) == 0x90000000;
}

/* ADD of a constant below 4,096 to a register of 64 bits. */
static bool is_add(u32 insn)
{
	return (insn & 0xffc00000) == 0x91000000;
}

/* True for B and BL, which reach 128 MB; a B may be the call of a function that then returns. */
static bool is_branch(u32 insn)
{
	return (insn & 0x7c000000) == 0x14000000;
}

static bool is_call(u32 insn)
{
	return insn >> 31;
}

static const u8 *branch_target(const u8 *code, u32 insn)
{
	return code + ((s32)(insn << 6) >> 4);
}

static unsigned long page_of(const u8 *code, u32 insn)
{
	s32 pages = (s32)((insn >> 5 & 0x7ffff) << 13) >> 11 | (insn >> 29 & 3);

	return ((unsigned long)code & ~0xffful) + ((long)pages << 12);
}

/* MOV from one register of 64 bits to another. */
static bool is_move(u32 insn)
{
	return (insn & 0xffe0ffe0) == 0xaa0003e0;
}

/* Follow an address as it is put together in registers by @insn as the last step; 0: not known. */
static void load(unsigned long value[REGISTERS + 1], const u8 *code, u32 insn)
{
	unsigned int to = insn & 31, from = insn >> 5 & 31;

	if (is_adrp(insn))
		value[to] = page_of(code, insn);
	else if (is_add(insn))
		value[to] = value[from] ? value[from] + (insn >> 10 & 0xfff) : 0;
	else if (is_move(insn))
		value[to] = value[insn >> 16 & 31];
}

static u32 read_insn(const u8 *code)
{
	u8 bytes[INSN_BYTES];

	return copy_from_kernel_nofault(bytes, code, sizeof(bytes)) ? 0 : marker_insn_get(bytes);
}

/* Return the end of a branch to @to: code reaches a distant function by "br x16". */
static const u8 *resolve(const u8 *to)
{
	unsigned long value[REGISTERS + 1] = { };

	load(value, to, read_insn(to));
	load(value, to, read_insn(to + INSN_BYTES));
	return read_insn(to + 2 * INSN_BYTES) == INSN_BR_X16 ? (const u8 *)value[16] : to;
}

static void note_format(struct marker_debug_call *call, unsigned long value,
			const struct _ddebug *descriptor)
{
	if (marker_debug_call_has_format((const char *)value, descriptor))
		call->format = (const char *)value;
}

/*
 * True if a call gets @descriptor in its first argument, @first.  A loop may have the address in a
 * register since before the block; the kprobe then sees at each call which site it is.
 */
static bool may_be_of(unsigned long first, const struct _ddebug *descriptor)
{
	return !first || first == (unsigned long)descriptor;
}

const char *marker_debug_call_find(struct marker_debug_call *call, const u8 *block,
				   const struct _ddebug *descriptor)
{
	unsigned long value[REGISTERS + 1] = { };
	const u8 *code = block, *to;
	unsigned int i;
	u32 insn;

	*call = (struct marker_debug_call){ };
	for (i = 0; i < MARKER_DEBUG_BLOCK / INSN_BYTES; i++, code += INSN_BYTES) {
		insn = read_insn(code);
		load(value, code, insn);
		if (is_add(insn))
			note_format(call, value[insn & 31], descriptor);
		if (!is_branch(insn))
			continue;
		to = resolve(branch_target(code, insn));
		call->function = marker_debug_function_at(to);
		if (call->function && may_be_of(value[0], descriptor))
			return "calls are not diverted here";
		if (call->function) {
			/* The call of another site. */
			call->function = NULL;
			break;
		}
		if (!is_call(insn))
			/* The block continues at another address. */
			code = to - INSN_BYTES;
		else if (marker_debug_call_prints(to))
			call->other = to;
		if (call->other)
			return "its function is not known";
		if (is_call(insn))
			memset(value, 0, SCRATCH_REGISTERS * sizeof(value[0]));
	}
	return "its call is not found";
}
