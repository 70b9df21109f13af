/* SPDX-License-Identifier: GPL-2.0-only */
/* A program in the place of a module. */
#ifndef NATIVE_ENV_MODULE_H
#define NATIVE_ENV_MODULE_H

#include <stdlib.h>
#include "env_site.h"

struct module {
	const char *name;
	const void *start, *end;	/* bounds of its memory; NULL: all memory */
};

#define module_name(module)	((module)->name)

#define NOKPROBE_SYMBOL(function)	_Static_assert(1, "a declaration")

#define __init
#define __exit
#define EXPORT_SYMBOL_GPL(symbol)

#define THIS_MODULE		((struct module *)NULL)
#define MODULE_DESCRIPTION(text)
#define MODULE_VERSION(text)
#define MODULE_LICENSE(name)	struct module
#define MODULE_PARM_DESC(name, text)
#define module_param(name, type, mode)

/* Run the init function of a module before main(); there is no other part of loading. */
#define module_init(init)						\
static __attribute__((constructor)) void env_module_init(void)		\
{									\
	if (init())							\
		abort();						\
}

#define postcore_initcall(init)	module_init(init)

#define module_exit(exit)						\
static __maybe_unused void env_module_exit(void)			\
{									\
	exit();								\
}

static inline bool try_module_get(struct module *module)
{
	(void)module;
	return true;
}

static inline void __module_get(struct module *module)
{
	(void)module;
}

static inline void module_put(struct module *module)
{
	(void)module;
}

#endif
