// SPDX-License-Identifier: GPL-2.0-only
/* hello.ko: the shortest module with a marker. Each write into the parameter executes it. */
#include <linux/module.h>
#include "marker.h"

static int say(const char *text, const struct kernel_param *param)
{
	MARK(hello, "text=%s", text);
	return 0;
}

static const struct kernel_param_ops ops = { .set = say };
module_param_cb(say, &ops, NULL, 0200);
MODULE_LICENSE("GPL");
