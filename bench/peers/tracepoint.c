// SPDX-License-Identifier: GPL-2.0-only
/* The tracepoints themselves, and their probes. */
#include "peer.h"
#include "tracepoint.h"

DEFINE_TRACE(subsys_mark1, TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));
DEFINE_TRACE(subsys_mark1_traced, TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));

static void notrace empty(void *data, int count, void *pointer)
{
}

static int attach(void)
{
	return register_trace_subsys_mark1(empty, NULL);
}

static void detach(void)
{
	unregister_trace_subsys_mark1(empty, NULL);
	tracepoint_synchronize_unregister();
}

const struct bench_peer marker_bench_peer_tracepoint = {
	.name = "tracepoint", .attach = attach, .detach = detach,
};

static void traced(void *data, int count, void *pointer)
{
}

static int attach_traced(void)
{
	return register_trace_subsys_mark1_traced(traced, NULL);
}

static void detach_traced(void)
{
	unregister_trace_subsys_mark1_traced(traced, NULL);
	tracepoint_synchronize_unregister();
}

const struct bench_peer marker_bench_peer_tracepoint_traced = {
	.name = "tracepoint_traced", .attach = attach_traced, .detach = detach_traced,
};
