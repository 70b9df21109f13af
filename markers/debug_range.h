/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The descriptors of debug sites (struct _ddebug) of a module or of the kernel, in the order
 * of their names.
 */
#ifndef MARKERS_DEBUG_RANGE_H
#define MARKERS_DEBUG_RANGE_H

#include <linux/dynamic_debug.h>
#include "debug_query.h"
#include "env.h"

/**
 * struct marker_debug_entry - a descriptor, and its place among those of its function
 * @descriptor: the descriptor
 * @number: number from 1, in the order of the source; 0: the function has one site
 */
struct marker_debug_entry {
	struct _ddebug *descriptor;
	unsigned int number;
};

/**
 * struct marker_debug_range - the descriptors of a module
 * @mod: the module; NULL: the kernel
 * @n: how many descriptors
 * @entries: the descriptors by module, function, file and line
 * @jumps_end: end of the jump table of the module
 */
struct marker_debug_range {
	struct module *mod;
	unsigned int n;
	struct marker_debug_entry *entries;
	const struct jump_entry *jumps_end;
};

/**
 * marker_debug_range_get - find the descriptors of a module and sort them
 * @range: receives the descriptors
 * @mod: the module, which stays meanwhile; NULL: the kernel
 *
 * Context: May sleep.
 * Return: 0, also if there are none; -ENOMEM; -EINVAL: the table is damaged, and the log
 *	   names the module and the entry.
 */
int marker_debug_range_get(struct marker_debug_range *range, struct module *mod);

void marker_debug_range_put(struct marker_debug_range *range);

/**
 * marker_debug_range_visit - get the descriptors of the kernel and of all modules, one by one
 * @visit: called with each range that has descriptors; ends the walk if it does not return 0
 * @data: passed to @visit
 *
 * Context: May sleep.
 * Return: 0, or the last value of @visit.
 */
int marker_debug_range_visit(int (*visit)(const struct marker_debug_range *range, void *data),
			     void *data);

/* Write the name of the marker of a site, "debug_MODULE/FUNCTION" or "..._NUMBER". */
void marker_debug_name(const struct marker_debug_entry *entry, char *name, size_t size);

/* Return the module, function, file, line and format of @descriptor, for a query. */
struct marker_debug_place marker_debug_place_of(const struct _ddebug *descriptor);

#endif
