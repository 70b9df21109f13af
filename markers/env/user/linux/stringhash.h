/* SPDX-License-Identifier: GPL-2.0-only */
/* A hash of a text; its values differ from the kernel's. */
#ifndef NATIVE_LINUX_STRINGHASH_H
#define NATIVE_LINUX_STRINGHASH_H

#include "env.h"

static inline unsigned int full_name_hash(const void *salt, const char *name, unsigned int len)
{
	unsigned int hash = (unsigned long)salt;

	while (len--)
		hash = hash * 31 + (u8)*name++;
	return hash;
}

#endif
