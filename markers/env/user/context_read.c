// SPDX-License-Identifier: GPL-2.0-only
/* The context of an event in a program, which has one thread, no interrupts and no cgroup. */
#include <sched.h>
#include <unistd.h>
#include "context.h"
#include "env.h"

static char comm[MARKER_COMM_MAX];

static __attribute__((constructor)) void read_comm(void)
{
	strscpy(comm, program_invocation_short_name, sizeof(comm));
}

unsigned long marker_task_tid(void)
{
	return gettid();
}

unsigned long marker_task_pid(void)
{
	return getpid();
}

unsigned long marker_context_read(enum marker_context which)
{
	switch (which) {
	case MARKER_CONTEXT_TID:
		return marker_task_tid();
	case MARKER_CONTEXT_PID:
		return marker_task_pid();
	case MARKER_CONTEXT_COMM:
		return (unsigned long)comm;
	case MARKER_CONTEXT_PRIO:
		return 120;
	case MARKER_CONTEXT_CPU:
		return sched_getcpu();
	default:
		return 0;
	}
}
