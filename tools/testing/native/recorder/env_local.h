/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As markers/env/user/env_local.h, with data for each of two CPUs; the program chooses on which CPU its
 * events happen, and the time of all clocks.
 */
#ifndef MARKERS_ENV_LOCAL_H
#define MARKERS_ENV_LOCAL_H

#include "env.h"

#define nr_cpu_ids		2u
#define CPU_STRIDE		65536ul

extern unsigned int recorder_cpu;	/* the CPU of events */
extern u64 recorder_clock;		/* ticks, and ns: each reading adds one */

typedef struct {
	long value;
} local_t;

#define local_read(l)		READ_ONCE((l)->value)
#define local_inc(l)		local_add(1, l)

static __always_inline void local_add(long i, local_t *l)
{
	env_local_add(i, &l->value);
}

static __always_inline long local_cmpxchg(local_t *l, long old, long new)
{
	return env_local_cmpxchg(&l->value, old, new);
}

#define __percpu
#define per_cpu_ptr(p, cpu)	((typeof(p))((char *)(p) + (cpu) * CPU_STRIDE))
#define this_cpu_ptr(p)		per_cpu_ptr(p, recorder_cpu)
#define alloc_percpu(type)	((type *)recorder_pages(nr_cpu_ids * CPU_STRIDE))
#define free_percpu		recorder_free_pages
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < (int)nr_cpu_ids; (cpu)++)
#define ____cacheline_aligned	__aligned(64)

/* Zeroed memory that begins with a page; NULL if it is refused. Freed memory keeps its content. */
void *recorder_pages(size_t size);
void recorder_free_pages(void *at);

static inline u64 recorder_time(void)
{
	return ++recorder_clock;
}

#undef ktime_get_mono_fast_ns
#define ktime_get_mono_fast_ns	recorder_time
#define ktime_get_ns		recorder_time

/* How often preemption is disabled. */
extern unsigned int recorder_preempt;
#undef preempt_disable_notrace
#undef preempt_enable_notrace
#define preempt_disable_notrace()	((void)recorder_preempt++)
#define preempt_enable_notrace()	((void)recorder_preempt--)

#endif
