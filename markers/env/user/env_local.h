/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's local_t and data of each CPU, in a program: one CPU's, and its
 * thread is the only writer.  The instructions are in env_arch.h.
 */
#ifndef MARKERS_ENV_LOCAL_H
#define MARKERS_ENV_LOCAL_H

#include "env.h"

typedef struct {
	long value;
} local_t;

#define local_read(l)		READ_ONCE((l)->value)
#define local_set(l, i)		WRITE_ONCE((l)->value, i)
#define local_inc(l)		local_add(1, l)

static __always_inline void local_add(long i, local_t *l)
{
	env_local_add(i, &l->value);
}

static __always_inline long local_cmpxchg(local_t *l, long old, long new)
{
	return env_local_cmpxchg(&l->value, old, new);
}

static __always_inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	long before = *old;

	*old = local_cmpxchg(l, before, new);
	return *old == before;
}

/* linux/percpu.h */

#define __percpu
#define alloc_percpu(type)	((type *)aligned_alloc(64, sizeof(type)))
#define free_percpu(p)		free(p)
#define this_cpu_ptr(p)		(p)
#define this_cpu_inc(value)	((value)++)
#define per_cpu_ptr(p, cpu)	((void)(cpu), (p))
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define ____cacheline_aligned	__aligned(64)

#endif
