// SPDX-License-Identifier: GPL-2.0-only
/* The static calls, and their functions in an enabled run. */
#include "peer.h"
#include "static_call.h"

DEFINE_STATIC_CALL_NULL(marker_bench_static_call, marker_bench_static_call_empty);
DEFINE_STATIC_CALL_RET0(marker_bench_static_call_ret0, marker_bench_static_call_zero);

void notrace marker_bench_static_call_empty(int count, void *pointer)
{
}

long notrace marker_bench_static_call_zero(int count, void *pointer)
{
	return 0;
}

static int attach(void)
{
	static_call_update(marker_bench_static_call, marker_bench_static_call_empty);
	return 0;
}

static void detach(void)
{
	static_call_update(marker_bench_static_call, NULL);
}

const struct bench_peer marker_bench_peer_static_call = {
	.name = "static_call", .attach = attach, .detach = detach,
};

static int attach_ret0(void)
{
	static_call_update(marker_bench_static_call_ret0, marker_bench_static_call_zero);
	return 0;
}

static void detach_ret0(void)
{
	static_call_update(marker_bench_static_call_ret0, (void *)__static_call_return0);
}

const struct bench_peer marker_bench_peer_static_call_ret0 = {
	.name = "static_call_ret0", .attach = attach_ret0, .detach = detach_ret0,
};
