/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of debug sites: where the block behind a static key calls a function such as
 * __dynamic_pr_debug(), and with which format.
 */
#ifndef MARKERS_DEBUG_CALL_H
#define MARKERS_DEBUG_CALL_H

#include "env.h"

struct _ddebug;

/* Copies of a site that the compiler may have made. */
#define MARKER_DEBUG_CALLS_MAX	16

/* Bytes of a block that are searched. */
#define MARKER_DEBUG_BLOCK	384

/* The argument that is the format. */
enum marker_debug_slot { DEBUG_SLOT_SECOND, DEBUG_SLOT_THIRD };

/**
 * struct marker_debug_function - function of the kernel that debug sites call
 * @name: as in the source of a driver
 * @function: the function of the kernel
 * @divert: function that records the call in place of @function, or passes it on; NULL: such a
 *	    call cannot be recorded
 * @slot: the argument that is the format
 * @nprefix: words of an event that describe the device
 */
struct marker_debug_function {
	const char *name;
	const void *function;
	const void *divert;
	u8 slot;
	u8 nprefix;
};

/* All of them; the last has no name. */
extern const struct marker_debug_function marker_debug_functions[];

/**
 * struct marker_debug_call - the call of a block
 * @code: the instruction
 * @function: target of the call
 * @format: format of the call
 * @is_tail: the call is a jump
 */
struct marker_debug_call {
	u8 *code;
	const struct marker_debug_function *function;
	const char *format;
	bool is_tail;
};

/**
 * marker_debug_call_find - find the call of a debug site
 * @call: receives the call
 * @block: the code that runs while the site's key is enabled
 * @descriptor: of the site
 *
 * The call counts if the block loads @descriptor as its first argument, and nothing else in
 * between.  Of the architecture.
 *
 * Context: any, if the text of @block stays.
 * Return: NULL, or why there is no call that can be diverted: a text for people.
 */
const char *marker_debug_call_find(struct marker_debug_call *call, const u8 *block,
				   const struct _ddebug *descriptor);

#endif
