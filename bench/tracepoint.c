// SPDX-License-Identifier: GPL-2.0-only
/* The tracepoint itself, and the probe of it. */
#include "tracepoint.h"

DEFINE_TRACE(subsys_mark1, TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));

static void notrace empty(void *data, int count, void *pointer)
{
}

int tracepoint_attach(void)
{
	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return 0;
	return register_trace_subsys_mark1(empty, NULL);
}

void tracepoint_detach(void)
{
	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return;
	unregister_trace_subsys_mark1(empty, NULL);
	tracepoint_synchronize_unregister();
}
