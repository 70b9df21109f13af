// SPDX-License-Identifier: GPL-2.0-only
/* The callback. */
#include <linux/ftrace.h>
#include "ftrace.h"
#include "peer.h"

static void notrace empty(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			  struct ftrace_regs *regs)
{
}

static struct ftrace_ops ops = { .func = empty };

static int attach(void)
{
	int ret = ftrace_set_filter_ip(&ops, (unsigned long)marker_bench_ftrace_target, 0, 0);

	return ret ?: register_ftrace_function(&ops);
}

static void detach(void)
{
	unregister_ftrace_function(&ops);
	ftrace_set_filter_ip(&ops, (unsigned long)marker_bench_ftrace_target, 1, 0);
}

const struct bench_peer marker_bench_peer_ftrace = {
	.name = "ftrace", .attach = attach, .detach = detach,
};
