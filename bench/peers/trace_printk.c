// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_printk() without its macro, which would make the kernel print its
 * warning banner when the module is loaded; here it comes with the first
 * enabled run.
 */
#include <linux/trace.h>
#include "peer.h"
#include "store.h"

static int attach(void)
{
	trace_printk_init_buffers();
	return 0;
}

static void detach(void)
{
}

const struct bench_peer marker_bench_peer_trace_printk = {
	.name = "trace_printk", .attach = attach, .detach = detach,
};
