/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose text an address is; the kernel itself is the module NULL. */
#ifndef MARKERS_OWNER_H
#define MARKERS_OWNER_H

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <asm/sections.h>

/* In text that stays as long as @mod does. */
static inline bool marker_owner_has(const struct module *mod, const void *code)
{
	unsigned long addr = (unsigned long)code;

	return mod ? within_module_core(addr, mod) : is_kernel_text(addr);
}

/* In text that goes when the init of @mod is done, whether it is gone or not. */
static inline bool marker_owner_has_init(const struct module *mod, const void *code)
{
	unsigned long addr = (unsigned long)code;

	return mod ? within_module_init(addr, mod) : is_kernel_inittext(addr);
}

static inline bool marker_owner_init_is_over(const struct module *mod)
{
#ifdef CONFIG_MODULES
	if (mod)
		return mod->state != MODULE_STATE_COMING;
#endif
	return system_state >= SYSTEM_FREEING_INITMEM;
}

/* Whether it is in the core, which has no bounds of its own within the kernel. */
static inline bool marker_owner_core_has(const void *code)
{
	return false;
}

#endif
