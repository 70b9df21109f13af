/* SPDX-License-Identifier: GPL-2.0-only */
/* As the kernel lays out the descriptors of debug sites on x86-64, for programs. */
#ifndef DEBUG_SITES_DYNAMIC_DEBUG_H
#define DEBUG_SITES_DYNAMIC_DEBUG_H

#include <linux/jump_label.h>

struct _ddebug {
	const char *modname, *function, *filename, *format;
	unsigned int lineno_and_flags;
	union {
		struct {
			struct static_key key;
		} dd_key_true;
	} key;
};

#endif
