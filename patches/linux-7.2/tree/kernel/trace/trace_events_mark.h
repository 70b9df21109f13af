/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks over the probes of a tracepoint. */
#ifndef _TRACE_EVENTS_MARK_H
#define _TRACE_EVENTS_MARK_H

#include <linux/preempt.h>
#include <linux/srcu.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

/* Around the walk over the probes. */
static inline struct srcu_ctr __percpu *marker_walk_lock(void)
{
	return srcu_read_lock_fast_notrace(&tracepoint_srcu);
}

static inline void marker_walk_unlock(struct srcu_ctr __percpu *lock)
{
	srcu_read_unlock_fast_notrace(&tracepoint_srcu, lock);
}

/* Around a probe of ftrace or perf, which must not be preempted. */
static inline void marker_probe_lock(void)
{
	preempt_disable_notrace();
}

static inline void marker_probe_unlock(void)
{
	preempt_enable_notrace();
}

//+ fields
static inline const char *marker_print_symbol(struct trace_seq *seq, unsigned long value,
					      const struct trace_print_flags *symbols,
					      size_t nr)
{
	return trace_print_symbols_seq(seq, value, symbols, nr);
}

//.
#endif
