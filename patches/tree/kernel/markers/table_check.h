/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules are built with the headers of their kernel; as of jump labels, nothing is checked. */
#ifndef MARKERS_TABLE_CHECK_H
#define MARKERS_TABLE_CHECK_H

#include "table.h"

static inline int marker_table_check_sites(const struct module *mod,
					   const struct marker_bounds *bounds)
{
	return 0;
}

static inline int marker_table_check_code(const struct marker_table *table)
{
	return 0;
}

#endif
