/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Peer for programs that needs no library: test an atomic flag, and call the probe if the flag
 * is set.
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
