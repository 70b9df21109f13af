/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the section tables of a module are such that using them is safe: a file that
 * was cut, a tool that rewrote it or a section that is not what it seems must not make
 * the kernel fault.  What is wrong is in the log, with its site.
 */
#ifndef MARKERS_TABLE_CHECK_H
#define MARKERS_TABLE_CHECK_H

#include "table.h"

/* Bytes of the texts of a site, the NUL included. */
#define MARKER_NAME_SIZE	128
#define MARKER_FILE_SIZE	4096

/*
 * The tables are of this version, in @mod, as a whole number of entries, and can be
 * written; the texts of each site can be read, and end.  To be called before anything of
 * them is used.  -ENOEXEC: of another version; -EINVAL.  Of the kernel's own tables, whose
 * @mod is NULL, only the version is checked, and none of their code.
 */
int marker_table_check_sites(struct module *mod, const struct marker_bounds *bounds);

/*
 * The code of each gate and call of @table is in its module, or has been freed with the
 * module's init; and no two share a byte.  -EINVAL, -ENOMEM.
 */
int marker_table_check_code(const struct marker_table *table);

#endif
