/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of env_site.h and env_local.h for arm64; markers/env/user has those for x86-64. */
#ifndef MARKERS_ENV_ARCH_H
#define MARKERS_ENV_ARCH_H

/* The kernel's, without LSE atomics: a load and a store that another writer would end. */
static __always_inline void env_local_add(long i, long *value)
{
	__atomic_fetch_add(value, i, __ATOMIC_RELAXED);
}

static __always_inline long env_local_cmpxchg(long *value, long old, long new)
{
	__atomic_compare_exchange_n(value, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	barrier();
	return old;
}

#endif
