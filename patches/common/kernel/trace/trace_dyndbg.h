/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _KERNEL_TRACE_TRACE_DYNDBG_H
#define _KERNEL_TRACE_TRACE_DYNDBG_H

#include <linux/preempt.h>

/* Begin a walk over the probes of a tracepoint: RCU keeps them while preemption is disabled. */
static inline void *ddebug_walk_begin(void)
{
	preempt_disable_notrace();
	return NULL;
}

/* End a walk that ddebug_walk_begin() began. */
static inline void ddebug_walk_end(void *walk)
{
	preempt_enable_notrace();
}

#endif
