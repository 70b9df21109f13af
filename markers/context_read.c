// SPDX-License-Identifier: GPL-2.0-only
/* Reads the context of an event, in a kernel; markers/env/user/context_read.c does in a program. */
#include <linux/cgroup.h>
#include "context.h"
#include "env.h"

/* The kernel's tasks keep their cgroup for as long as this CPU is in no quiescent state. */
#ifdef CONFIG_CGROUPS
static u64 notrace read_cgroup(void)
{
	u64 id;

	preempt_disable_notrace();
	/* Not through task_css_set(): an idle task is here without RCU, and never moves. */
	id = cgroup_id(rcu_dereference_raw(current->cgroups)->dfl_cgrp);
	preempt_enable_notrace();
	return id;
}
#else
static u64 notrace read_cgroup(void)
{
	return 0;
}
#endif

unsigned long notrace marker_context_read(enum marker_context which)
{
	BUILD_BUG_ON(MARKER_COMM_MAX != TASK_COMM_LEN);
	switch (which) {
	case MARKER_CONTEXT_TID:
		return marker_task_tid();
	case MARKER_CONTEXT_PID:
		return marker_task_pid();
	case MARKER_CONTEXT_COMM:
		return (unsigned long)current->comm;
	case MARKER_CONTEXT_PRIO:
		return current->prio;
	case MARKER_CONTEXT_CPU:
		return raw_smp_processor_id();
	case MARKER_CONTEXT_IRQ:
		return interrupt_context_level();
	case MARKER_CONTEXT_PREEMPT:
		return preempt_count() & PREEMPT_MASK;
	default:
		return read_cgroup();
	}
}
EXPORT_SYMBOL_GPL(marker_context_read);
