/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _KERNEL_TRACE_TRACE_DYNDBG_H
#define _KERNEL_TRACE_TRACE_DYNDBG_H

#include <linux/srcu.h>
#include <linux/tracepoint.h>

/* Begin a walk over the probes of a tracepoint, which SRCU keeps until its end. */
static inline struct srcu_ctr __percpu *ddebug_walk_begin(void)
{
	return srcu_read_lock_fast_notrace(&tracepoint_srcu);
}

/* End a walk that ddebug_walk_begin() began. */
static inline void ddebug_walk_end(struct srcu_ctr __percpu *walk)
{
	srcu_read_unlock_fast_notrace(&tracepoint_srcu, walk);
}

#endif
