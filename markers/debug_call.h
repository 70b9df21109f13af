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

/* The argument that is the format, counted from 0. */
enum marker_debug_slot { DEBUG_SLOT_SECOND = 1, DEBUG_SLOT_THIRD };

struct marker_debug_args;

/**
 * struct marker_debug_function - function of the kernel that debug sites call
 * @function: the function of the kernel
 * @divert: function that records the call in place of @function, or passes it on; NULL: the
 *	    architecture diverts no calls
 * @take: record a call with these arguments; return whether the message has to be printed
 * @slot: the argument that is the format
 * @nprefix: words of an event that describe the device
 */
struct marker_debug_function {
	const void *function;
	const void *divert;
	bool (*take)(const struct marker_debug_args *args);
	u8 slot;
	u8 nprefix;
};

/* The functions of debug sites; the last row has no function. */
#define MARKER_DEBUG_FUNCTIONS	3
extern const struct marker_debug_function marker_debug_functions[MARKER_DEBUG_FUNCTIONS + 1];

/**
 * struct marker_debug_call - the call of a block
 * @code: the instruction
 * @function: target of the call; NULL: not known
 * @format: format of the call; NULL: not known
 * @other: function that the block calls to print, but that gets no descriptor; or NULL
 * @is_tail: the call is a jump
 */
struct marker_debug_call {
	u8 *code;
	const struct marker_debug_function *function;
	const char *format;
	const void *other;
	bool is_tail;
};

/*
 * True if @format is a text that contains the descriptor's: pr_fmt() may have added text around
 * it.
 */
bool marker_debug_call_has_format(const char *format, const struct _ddebug *descriptor);

/* True if @code is a function that prints, by its name. */
bool marker_debug_call_prints(const void *code);

/* The row of marker_debug_functions[] whose function or diversion is at @code, or NULL. */
static inline const struct marker_debug_function *marker_debug_function_at(const void *code)
{
	const struct marker_debug_function *function;

	for (function = marker_debug_functions; function->function; function++)
		if (code == function->function || (function->divert && code == function->divert))
			return function;
	return NULL;
}

/**
 * marker_debug_call_find - find the call of a debug site
 * @call: receives the call; if it cannot be diverted, the known part of it
 * @block: the code that runs while the site's key is enabled
 * @descriptor: of the site
 *
 * The call is accepted if the block loads @descriptor as its first argument, and no other
 * descriptor before the call.  Implemented by each architecture.
 *
 * Context: any, if the text of @block stays.
 * Return: NULL, or a text with the reason why the call cannot be diverted.
 */
const char *marker_debug_call_find(struct marker_debug_call *call, const u8 *block,
				   const struct _ddebug *descriptor);

#endif
