// SPDX-License-Identifier: GPL-2.0-only
/* Names and types of the context items; context_read.c reads their values. */
#include "context.h"
#include "env.h"

const struct marker_context_kind marker_context_kinds[MARKER_CONTEXTS] = {
	[MARKER_CONTEXT_TID] = { "tid", MARKER_TYPE_S32 },
	[MARKER_CONTEXT_PID] = { "pid", MARKER_TYPE_S32 },
	[MARKER_CONTEXT_COMM] = { "comm", MARKER_TYPE_STR },
	[MARKER_CONTEXT_PRIO] = { "prio", MARKER_TYPE_S32 },
	[MARKER_CONTEXT_CPU] = { "cpu", MARKER_TYPE_U32 },
	[MARKER_CONTEXT_IRQ] = { "irq", MARKER_TYPE_U8 },
	[MARKER_CONTEXT_PREEMPT] = { "preempt", MARKER_TYPE_U8 },
	[MARKER_CONTEXT_CGROUP] = { "cgroup", MARKER_TYPE_U64 },
};
EXPORT_SYMBOL_GPL(marker_context_kinds);

int marker_context_find(const char *name, size_t len)
{
	int i;

	for (i = 0; i < MARKER_CONTEXTS; i++)
		if (strlen(marker_context_kinds[i].name) == len &&
		    !strncmp(marker_context_kinds[i].name, name, len))
			return i;
	return -ENOENT;
}
EXPORT_SYMBOL_GPL(marker_context_find);
