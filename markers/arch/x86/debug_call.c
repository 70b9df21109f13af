// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the call of a debug site on x86-64 without decoding all instructions: an opcode and four
 * bytes that lead exactly to a function do not occur by chance. The block loads its arguments by
 * "mov $imm32, %reg"; the last descriptor that is loaded before the call has to be that of the
 * site, because the block may jump to a call that it shares with another site.
 */
#include "debug_call.h"
#include "encode.h"

#define CALL_BYTES	5
#define MOV_BYTES	7	/* 48 c7 cX imm32 */
#define OP_JMP8		0xeb
#define FUNCTION_BYTES	0x10000	/* a jump is shorter in all but the longest functions */
#define FOLLOWED_BYTES	96	/* behind a jump that are searched */

enum { MOV_RDX = 0xc2, MOV_RSI = 0xc6, MOV_RDI = 0xc7 };

/*
 * The block of a debug site, and the constants that it has loaded last into the registers of
 * the first three arguments.
 */
struct block {
	const u8 *code;
	const struct _ddebug *descriptor;
	const void *first, *second, *third;
	const char *format;		/* the last that may be the site's */
	u8 bytes[MARKER_DEBUG_BLOCK];
	unsigned int len;
};

/* The text may end before. */
static void read_block(struct block *block, const u8 *code, unsigned int len)
{
	while (len && copy_from_kernel_nofault(block->bytes, code, len))
		len /= 2;
	block->code = code;
	block->len = len;
}

static s32 read_s32(const u8 *at)
{
	s32 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void load(struct block *block, const u8 *bytes)
{
	const void *value = (const void *)(long)read_s32(bytes + 3);

	if (bytes[0] != 0x48 || bytes[1] != 0xc7)
		return;
	if (bytes[2] == MOV_RDI) {
		block->first = value;
		return;
	}
	if (bytes[2] == MOV_RSI)
		block->second = value;
	else if (bytes[2] == MOV_RDX)
		block->third = value;
	else
		return;
	if (marker_debug_call_has_format(value, block->descriptor))
		block->format = value;
}

/* Return the target of the call or jump at @bytes, a copy of @code; NULL: there is none. */
static const u8 *target(const u8 *code, const u8 *bytes)
{
	return *bytes == MARKER_OP_CALL32 || *bytes == MARKER_OP_JMP32 ?
	       code + CALL_BYTES + read_s32(bytes + 1) : NULL;
}

/*
 * Look for a function of debug sites at the call or jump @code; false: there is none. A function
 * that prints and is unknown belongs to the driver.
 */
static bool find_function(struct marker_debug_call *call, const u8 *code, const u8 *bytes)
{
	const u8 *to = target(code, bytes);

	if (!to)
		return false;
	call->function = marker_debug_function_at(to);
	if (!call->function && *bytes == MARKER_OP_CALL32 && marker_debug_call_prints(to))
		call->other = to;
	return call->function || call->other;
}

static void search(struct marker_debug_call *call, const u8 *code)
{
	struct block block = { };
	unsigned int i;

	read_block(&block, code, FOLLOWED_BYTES);
	for (i = 0; i + MOV_BYTES <= block.len; i++)
		if (find_function(call, code + i, block.bytes + i))
			return;
}

/*
 * The block jumps to a call that it shares with another site: find the function.  The jump is
 * between the bytes @from and @to.
 */
static const char *follow(struct marker_debug_call *call, const struct block *block,
			  unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = from; i < to && !call->function; i++) {
		const u8 *bytes = block->bytes + i, *there = target(block->code + i, bytes);

		call->other = NULL;
		if (*bytes == OP_JMP8)
			search(call, block->code + i + 2 + (s8)bytes[1]);
		else if (*bytes == MARKER_OP_JMP32 && there > block->code - FUNCTION_BYTES &&
			 there < block->code + FUNCTION_BYTES)
			search(call, there);
	}
	call->format = block->format;
	return call->function ? "its call is shared with another site" : "its call is not found";
}

const char *marker_debug_call_find(struct marker_debug_call *call, const u8 *code,
				   const struct _ddebug *descriptor)
{
	struct block block = { .descriptor = descriptor };
	const void *prints = NULL;	/* function that is called, and gets no descriptor */
	unsigned int i, loaded = 0;

	*call = (struct marker_debug_call){ };
	read_block(&block, code, MARKER_DEBUG_BLOCK);
	for (i = 0; i + MOV_BYTES <= block.len; i++) {
		const u8 *bytes = block.bytes + i;

		load(&block, bytes);
		if (block.first == descriptor && !loaded)
			loaded = i + MOV_BYTES;
		if (loaded && block.first != descriptor)
			/* This address is behind the block. */
			break;
		if (!find_function(call, code + i, bytes))
			continue;
		if (!loaded) {
			prints = prints ?: call->other;
			*call = (struct marker_debug_call){ };
			continue;
		}
		if (call->other)
			return "its function is not known";
		call->code = (u8 *)code + i;
		call->is_tail = *bytes == MARKER_OP_JMP32;
		call->format = call->function->slot == DEBUG_SLOT_SECOND ? block.second :
									     block.third;
		if (call->format)
			return NULL;
		call->format = block.format;
		return "its format is not in its block";
	}
	if (loaded)
		return follow(call, &block, loaded, i);
	call->other = prints;
	return prints ? "its function is not known" : "its call is not found";
}
