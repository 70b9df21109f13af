/* SPDX-License-Identifier: GPL-2.0-only */
/* A module of a program is the memory that it names, or all; it stays. */
#ifndef NATIVE_OWNER_H
#define NATIVE_OWNER_H

#include "env_module.h"

static inline bool marker_owner_has(const struct module *mod, const void *code)
{
	return !mod->start || (code >= mod->start && code < mod->end);
}

static inline bool marker_owner_has_init(const struct module *mod, const void *code)
{
	return false;
}

static inline bool marker_owner_init_is_over(const struct module *mod)
{
	return true;
}

/* In the core itself. */
static inline bool marker_owner_core_has(const void *code)
{
	return true;
}

#endif
