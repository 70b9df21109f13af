// SPDX-License-Identifier: GPL-2.0-only
/* Switches the trace event on and off, and checks that the other one has no user. */
#define CREATE_TRACE_POINTS
#include "trace_event.h"
#include "peer.h"

static int attach(void)
{
	return trace_set_clr_event("bench_peers", "bench_event", 1);
}

static void detach(void)
{
	trace_set_clr_event("bench_peers", "bench_event", 0);
}

const struct bench_peer marker_bench_peer_trace_event = {
	.name = "trace_event", .attach = attach, .detach = detach,
};

static int find_bpf(void)
{
	return trace_bench_bpf_enabled() ? 0 : -ENOENT;
}

static void leave_bpf(void)
{
}

const struct bench_peer marker_bench_peer_bpf = {
	.name = "bpf", .attach = find_bpf, .detach = leave_bpf,
};
