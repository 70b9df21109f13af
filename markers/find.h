/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the section tables of a module. */
#ifndef MARKERS_FIND_H
#define MARKERS_FIND_H

#include "table.h"

/* Whether @mod has sites; then @bounds says where its tables are. */
bool find_bounds(const struct module *mod, struct marker_bounds *bounds);

#endif
