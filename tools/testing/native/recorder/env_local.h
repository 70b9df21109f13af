/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As markers/env/user/env_local.h, with data for each of two CPUs, and a number for a third one,
 * which cannot be there; the program chooses on which CPU its events happen, and the time of all
 * clocks.
 */
#ifndef RECORDER_ENV_LOCAL_H
#define RECORDER_ENV_LOCAL_H

#include "../../../../markers/env/user/env_local.h"

#define RECORDER_CPUS		2u
#define nr_cpu_ids		(RECORDER_CPUS + 1)
#define CPU_STRIDE		65536ul

extern unsigned int recorder_cpu;	/* the CPU of events */
extern u64 recorder_clock;		/* ticks, and ns: each reading adds one */

#undef per_cpu_ptr
#undef this_cpu_ptr
#undef alloc_percpu
#undef free_percpu
#undef for_each_possible_cpu
#define per_cpu_ptr(p, cpu)	((typeof(p))((char *)(p) + recorder_possible(cpu) * CPU_STRIDE))
#define this_cpu_ptr(p)		per_cpu_ptr(p, recorder_cpu)
#define alloc_percpu(type)	((type *)recorder_pages(RECORDER_CPUS * CPU_STRIDE))
#define free_percpu		recorder_free_pages
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < (int)RECORDER_CPUS; (cpu)++)

/* The number of a CPU that can be there; ends the program for any other. */
unsigned int recorder_possible(unsigned int cpu);

/* Zeroed memory that begins with a page; NULL if it is refused. Freed memory keeps its content. */
void *recorder_pages(size_t size);
void recorder_free_pages(void *at);

/* Called once, at that reading of the clock; 0: never. */
extern void (*recorder_on_clock)(void);
extern unsigned int recorder_clock_reading;

static inline u64 recorder_time(void)
{
	if (recorder_clock_reading && !--recorder_clock_reading)
		recorder_on_clock();
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
