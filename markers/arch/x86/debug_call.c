// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the call of a debug site on x86-64, without decoding all instructions: an opcode and
 * four bytes that lead exactly to a function are no accident.  The block loads its arguments
 * by "mov $imm32, %reg"; the last descriptor that is loaded before the call has to be that of
 * the site, since the block may jump to a call that it shares with another site.
 */
#include "debug_call.h"
#include "encode.h"

#define CALL_BYTES	5
#define MOV_BYTES	7	/* 48 c7 cX imm32 */

enum { MOV_RDX = 0xc2, MOV_RSI = 0xc6, MOV_RDI = 0xc7 };

/* The constants that the block has loaded last into the registers of the first three arguments. */
struct loaded {
	const void *first, *second, *third;
};

static s32 read_s32(const u8 *at)
{
	s32 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void load(struct loaded *loaded, const u8 *bytes)
{
	const void *value = (const void *)(long)read_s32(bytes + 3);

	if (bytes[0] != 0x48 || bytes[1] != 0xc7)
		return;
	if (bytes[2] == MOV_RDI)
		loaded->first = value;
	else if (bytes[2] == MOV_RSI)
		loaded->second = value;
	else if (bytes[2] == MOV_RDX)
		loaded->third = value;
}

/*
 * Return the function of debug sites that the call or jump at @code leads to, by itself or
 * diverted; NULL if @bytes are another instruction, or lead to another function.
 */
static const struct marker_debug_function *find_function(const u8 *code, const u8 *bytes)
{
	const struct marker_debug_function *function;
	const u8 *to = code + CALL_BYTES + read_s32(bytes + 1);

	if (*bytes != MARKER_OP_CALL32 && *bytes != MARKER_OP_JMP32)
		return NULL;
	for (function = marker_debug_functions; function->name; function++)
		if (to == function->function || (function->divert && to == function->divert))
			return function;
	return NULL;
}

static const char *judge(const struct marker_debug_call *call, const struct loaded *loaded,
			 const struct _ddebug *descriptor)
{
	if (!call->function->divert)
		return "its function gets no descriptor";
	if (loaded->first != descriptor)
		return "its call is shared with another site";
	return call->format ? NULL : "its format is not in its block";
}

const char *marker_debug_call_find(struct marker_debug_call *call, const u8 *block,
				   const struct _ddebug *descriptor)
{
	struct loaded loaded = { };
	u8 bytes[MARKER_DEBUG_BLOCK];
	unsigned int i, len = sizeof(bytes);

	/* The text may end before. */
	while (len && copy_from_kernel_nofault(bytes, block, len))
		len /= 2;
	for (i = 0; i + MOV_BYTES <= len; i++) {
		load(&loaded, bytes + i);
		call->function = find_function(block + i, bytes + i);
		if (!call->function)
			continue;
		call->code = (u8 *)block + i;
		call->is_tail = bytes[i] == MARKER_OP_JMP32;
		call->format = call->function->slot == DEBUG_SLOT_SECOND ? loaded.second :
									    loaded.third;
		return judge(call, &loaded, descriptor);
	}
	return "its call is not found";
}
