/* SPDX-License-Identifier: GPL-2.0-only */
/* All text is the program's own, and it stays. */
#ifndef NATIVE_OWNER_H
#define NATIVE_OWNER_H

#include "env_module.h"

static inline bool marker_owner_has(const struct module *mod, const void *code)
{
	return true;
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
	return marker_owner_has(THIS_MODULE, code);
}

#endif
