/* SPDX-License-Identifier: GPL-2.0-only */
/* The modules that are loaded, and where their section tables are. */
#ifndef MARKERS_MODULE_TABLES_H
#define MARKERS_MODULE_TABLES_H

#include "table.h"

/* True if @mod has sites; then @bounds gets the bounds of its tables. Context: any. */
bool marker_module_find_tables(const struct module *mod, struct marker_bounds *bounds);

/* The rows of gates that @mod has for others, or NULL.  Context: any. */
const struct marker_gate_ops *marker_module_find_gates(const struct module *mod);

/*
 * Calls @add for each module that is loaded, pinned.  0; -EOPNOTSUPP, and the log says
 * why: their tables cannot be found here.  May sleep.
 */
int marker_module_walk(void (*add)(struct module *mod));

/*
 * Call @visit with @data for each loaded module, pinned, until @visit returns another value than
 * 0. Return the last value of @visit. May sleep.
 */
int marker_module_visit(int (*visit)(struct module *mod, void *data), void *data);

#endif
