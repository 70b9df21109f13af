// SPDX-License-Identifier: GPL-2.0-only
/* 2,000 trace events with a site each: tools/testing/long/batch.sh enables them together. */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "events_many_trace.h"

#define SITE(n)	trace_many_##n(1);

static void run(void)
{
	MANY_1000(SITE, 1)
	MANY_1000(SITE, 2)
}

static int set_run(const char *text, const struct kernel_param *param)
{
	run();
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = set_run };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "written to: all events happen once");
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("2,000 trace events");
