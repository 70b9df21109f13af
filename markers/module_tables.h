/* SPDX-License-Identifier: GPL-2.0-only */
/* The modules that are loaded, and where their section tables are. */
#ifndef MARKERS_MODULE_TABLES_H
#define MARKERS_MODULE_TABLES_H

#include "table.h"

/* Whether @mod has sites; then @bounds says where its tables are.  Context: any. */
bool marker_module_find_tables(const struct module *mod, struct marker_bounds *bounds);

/* The rows of gates that @mod has for others, or NULL.  Context: any. */
const struct marker_gate_ops *marker_module_find_gates(const struct module *mod);

/*
 * Calls @add for each module that is loaded, pinned.  0; -EOPNOTSUPP, and the log says
 * why: their tables cannot be found here.  May sleep.
 */
int marker_module_walk(void (*add)(struct module *mod));

/*
 * Calls @visit with @data for each module that is loaded, pinned, until it does not return 0.
 * Returns what it returned last.  May sleep.
 */
int marker_module_visit(int (*visit)(struct module *mod, void *data), void *data);

#endif
