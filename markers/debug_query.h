/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queries for debug sites: "debug:KEY=VALUE,KEY=VALUE...", with the keys of dynamic debug.
 *
 *	module=GLOB	func=GLOB	file=GLOB (the path, or its last part)
 *	line=N, N-M, N- or -M		format=GLOB (of a part of the text; the last key)
 */
#ifndef MARKERS_DEBUG_QUERY_H
#define MARKERS_DEBUG_QUERY_H

#include "env.h"

#define MARKER_DEBUG_QUERY	"debug:"

/**
 * struct marker_debug_place - properties of a debug site that a query can ask for
 * @module: name as in dynamic debug, also for built-in code
 * @function: the function
 * @file: the path, as compiled
 * @format: the format, as written
 * @line: the line
 */
struct marker_debug_place {
	const char *module, *function, *file, *format;
	unsigned int line;
};

/* Return 0, or -EINVAL if @query, which begins with MARKER_DEBUG_QUERY, is malformed. */
int marker_debug_query_check(const char *query);

/* Return true if @query, which has been checked, matches @place. */
bool marker_debug_query_matches(const char *query, const struct marker_debug_place *place);

#endif
