/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Common names for functions that differ between kernel versions.  No other file checks for a
 * version.
 */
#ifndef MARKERS_COMPAT_H
#define MARKERS_COMPAT_H

#include <asm/local.h>
#include <linux/hrtimer.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/hex.h>
#endif

/* 6.5 and newer ones of the stable kernels define it. */
#ifndef __no_stack_protector
#if __has_attribute(__no_stack_protector__)
#define __no_stack_protector __attribute__((__no_stack_protector__))
#else
#define __no_stack_protector
#endif
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup_on_stack(struct hrtimer *timer,
					  enum hrtimer_restart (*function)(struct hrtimer *),
					  clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init_on_stack(timer, clock, mode);
	timer->function = function;
}
#endif

/* Before 6.18, a workqueue without WQ_UNBOUND is a per-CPU one. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define WQ_PERCPU 0
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#ifdef __raw_try_cmpxchg
static __always_inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	return __raw_try_cmpxchg(&l->a.counter, old, new, sizeof(*old), "");
}
#else
static __always_inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	long before = *old;

	*old = local_cmpxchg(l, before, new);
	return *old == before;
}
#endif
#endif

/* The parameters of a relay channel's subbuf_start(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define RELAY_SUBBUF_START struct rchan_buf *buf, void *subbuf, void *prev, size_t padding
#else
#define RELAY_SUBBUF_START struct rchan_buf *buf, void *subbuf, void *prev
#endif

/* A flag of tasks since 6.13. */
#ifndef TIF_NEED_RESCHED_LAZY
#define TIF_NEED_RESCHED_LAZY TIF_NEED_RESCHED
#endif

/* Tasks have the member only where there can be several CPUs. */
#ifdef CONFIG_SMP
static __always_inline unsigned int marker_migration_disabled(void)
{
	return current->migration_disabled;
}
#else
static __always_inline unsigned int marker_migration_disabled(void)
{
	return 0;
}
#endif

/* Open files of a trace event keep it in memory. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define EVENT_FILES_KEEP_EVENTS
#endif

static __always_inline void ring_buffer_commit(struct trace_buffer *buffer,
					       struct ring_buffer_event *event)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	ring_buffer_unlock_commit(buffer, event);
#else
	ring_buffer_unlock_commit(buffer);
#endif
}

#endif
