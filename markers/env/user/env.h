/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of markers/env/kernel/env.h on top of libc, for the shared files in a program.  The
 * order of -I chooses.
 *
 * Only names that the shared files use are here, and only as exact as they need.  There is one
 * CPU and no interrupt handler to keep out, so the functions that disable something do nothing
 * here.
 */
#ifndef MARKERS_ENV_H
#define MARKERS_ENV_H

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "env_memory.h"
#include "env_module.h"
#include "env_site.h"
#include "env_string.h"
#include "env_sync.h"
#include "hashtable.h"
#include "list.h"

/* linux/kernel.h and around it */

#define __stringify_1(x...)	#x
#define __stringify(x...)	__stringify_1(x)
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define BITS_PER_LONG		64
#define BIT(n)			(1ul << (n))
#define __ffs(word)		__builtin_ctzl(word)
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define PAGE_SIZE		4096ul
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define PAGE_ALIGN(addr)	(((addr) + PAGE_SIZE - 1) & PAGE_MASK)
#define offset_in_page(p)	((unsigned long)(p) & ~PAGE_MASK)

#define min_t(type, a, b)						\
({									\
	type __min_a = (a);						\
	type __min_b = (b);						\
									\
	__min_a < __min_b ? __min_a : __min_b;				\
})
#define max_t(type, a, b)						\
({									\
	type __max_a = (a);						\
	type __max_b = (b);						\
									\
	__max_a > __max_b ? __max_a : __max_b;				\
})
#define min(a, b)		min_t(typeof((a) + 0), a, b)
#define max(a, b)		max_t(typeof((a) + 0), a, b)
#define clamp_t(type, value, low, high)	min_t(type, max_t(type, value, low), high)
#define swap(a, b)							\
do {									\
	typeof(a) __swap = (a);						\
									\
	(a) = (b);							\
	(b) = __swap;							\
} while (0)

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

/* linux/printk.h, linux/bug.h */

#ifndef pr_fmt
#define pr_fmt(fmt)		fmt
#endif
#define pr_err(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn			pr_err
#define pr_info			pr_err
#define pr_debug(fmt, ...)						\
do {									\
	if (0)								\
		pr_err(fmt, ##__VA_ARGS__);				\
} while (0)

#define WARN_ON(condition)						\
({									\
	bool __warn = (condition);					\
									\
	if (__warn)							\
		pr_err("%s:%d: %s\n", __FILE__, __LINE__, #condition);	\
	__warn;								\
})
#define WARN_ON_ONCE		WARN_ON

/* linux/sort.h; bsearch() is libc's */

static inline void sort(void *base, size_t n, size_t size,
			int (*compare)(const void *, const void *),
			void (*exchange)(void *, void *, int))
{
	(void)exchange;
	qsort(base, n, size, compare);
}

/* linux/ktime.h, linux/sched.h, linux/irqflags.h, linux/preempt.h */

static inline u64 ktime_get_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

#define ktime_get_mono_fast_ns	ktime_get_ns

#define cond_resched()		((void)0)
#define local_irq_save(flags)	((void)((flags) = 0))
#define local_irq_restore(flags)	((void)(flags))
#define preempt_disable()	barrier()
#define preempt_enable()	barrier()
#define preempt_disable_notrace	preempt_disable
#define preempt_enable_notrace	preempt_enable
#define migrate_disable()	((void)0)
#define migrate_enable()	((void)0)
#define might_sleep()		((void)0)

/* Thread and process of this program; in context_read.c. */
unsigned long marker_task_tid(void);
unsigned long marker_task_pid(void);

/* linux/delay.h */

static inline void msleep(unsigned int ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l };

	nanosleep(&time, NULL);
}

#endif
