/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that the section tables of a module can be used safely. A truncated file, a tool that
 * rewrote the file, or a section of another kind must not make the kernel fault. The log has each
 * error, with its site.
 */
#ifndef MARKERS_TABLE_CHECK_H
#define MARKERS_TABLE_CHECK_H

#include "table.h"

/* Bytes of the longest name of a source file, with the NUL. */
#define MARKER_FILE_SIZE	4096

/*
 * Check that the tables have this version, are in @mod, have a whole number of entries, and can be
 * written, and that the texts of each site can be read and have an end. Call this before any other
 * use of the tables. -ENOEXEC: another version; -EINVAL. Of the kernel's own tables (@mod is NULL)
 * only the version is checked, and none of their code.
 */
int marker_table_check_sites(struct module *mod, const struct marker_bounds *bounds);

/*
 * Check that the code of each gate and call of @table is in its module, or was in the module's
 * freed init text, and that no two of them share a byte. -EINVAL, -ENOMEM.
 */
int marker_table_check_code(const struct marker_table *table);

#endif
