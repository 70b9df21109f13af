/* SPDX-License-Identifier: GPL-2.0-only */
/* All calls of a debug site, found from its static key. */
#ifndef MARKERS_DEBUG_CALLS_H
#define MARKERS_DEBUG_CALLS_H

#include "debug_call.h"
#include "debug_range.h"

/**
 * marker_debug_calls_find - find the calls of a debug site
 * @range: the descriptors of its module
 * @descriptor: of the site
 * @calls: receives the calls
 * @n: receives their number; 0: they cannot be diverted, but a kprobe at the function of @calls[0]
 *     can record the site
 *
 * Context: any, if the module stays.
 * Return: NULL, or why the site cannot be recorded: a text for people, which may name
 *	   @calls[0].other.
 */
const char *marker_debug_calls_find(const struct marker_debug_range *range,
				    const struct _ddebug *descriptor,
				    struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX],
				    unsigned int *n);

#endif
