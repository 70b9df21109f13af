/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks over the probes of a tracepoint. */
#ifndef _TRACE_EVENTS_MARK_H
#define _TRACE_EVENTS_MARK_H

#include <linux/preempt.h>
#include <linux/trace_events.h>

/* Around the walk over the probes. */
static inline void *marker_walk_lock(void)
{
	preempt_disable_notrace();
	return NULL;
}

static inline void marker_walk_unlock(void *lock)
{
	preempt_enable_notrace();
}

/* Around a probe of ftrace or perf, which must not be preempted. */
static inline void marker_probe_lock(void)
{
}

static inline void marker_probe_unlock(void)
{
}

//+ fields
static inline const char *marker_print_symbol(struct trace_seq *seq, unsigned long value,
					      const struct trace_print_flags *symbols,
					      size_t nr)
{
	return trace_print_symbols_seq(seq, value, symbols);
}

//.
#endif
