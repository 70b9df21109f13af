/* SPDX-License-Identifier: GPL-2.0-only */
/* The modules with sites: loaded, coming and going. */
#ifndef MARKERS_MODULE_H
#define MARKERS_MODULE_H

#include "env.h"

struct module;

/* Adds the sites of all modules.  0, or -EOPNOTSUPP, which is logged.  May sleep. */
int marker_module_init(void);

/* Put the text of all modules back as it was built. Nothing is connected any more. */
void marker_module_exit(void);

/* The init of @mod is over, and its init text is about to go; false: @mod is not known. */
bool marker_module_drop_init(struct module *mod);

#endif
