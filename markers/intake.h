/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sites of modules that come, which get what is armed, and go.  The kernel
 * itself is the module NULL.
 *
 * Locks: takes markers_mutex, but never for a module without sites.
 */
#ifndef MARKERS_INTAKE_H
#define MARKERS_INTAKE_H

#include "env.h"

struct module;

/* Nothing happens when it is known or has no sites.  @quiet: its init has not begun. */
void intake_add(struct module *mod, bool quiet);

/* Its init is over, and init text is about to go; false: it is not known. */
bool intake_drop_init(struct module *mod);

/* The module goes; none of its code runs any more. */
void intake_del(struct module *mod);

/* All modules, whose code runs on. */
void intake_del_all(void);

#endif
