/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program does without any library: it looks at an atomic flag, and
 * calls if that is set.
 */
#ifndef NATIVE_FLAG_H
#define NATIVE_FLAG_H

#include "direct_call.h"
#include "env_site.h"

extern int native_flag;

static inline void flag_set(bool on)
{
	__atomic_store_n(&native_flag, on, __ATOMIC_RELAXED);
}

#define MARK_FLAG(name, fmt, ...)					\
do {									\
	if (unlikely(__atomic_load_n(&native_flag, __ATOMIC_RELAXED)))	\
		MARK_DIRECT(name, fmt, ##__VA_ARGS__);			\
} while (0)

#endif
