/* SPDX-License-Identifier: GPL-2.0-only */
/* Find out which module an address of text belongs to. */
#ifndef MARKERS_OWNER_H
#define MARKERS_OWNER_H

#include <linux/module.h>

/* In text that stays as long as @mod does. */
static inline bool marker_owner_has(const struct module *mod, const void *code)
{
	return within_module_core((unsigned long)code, mod);
}

/* In text that goes when the init of @mod is done, whether it is gone or not. */
static inline bool marker_owner_has_init(const struct module *mod, const void *code)
{
	return within_module_init((unsigned long)code, mod);
}

static inline bool marker_owner_init_is_over(const struct module *mod)
{
	return mod->state != MODULE_STATE_COMING;
}

/* In the core itself. */
static inline bool marker_owner_core_has(const void *code)
{
	return marker_owner_has(THIS_MODULE, code);
}

#endif
