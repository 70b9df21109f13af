// SPDX-License-Identifier: GPL-2.0-only
/*
 * marked.ko: a module with one marker.  Each write to the parameter passes it:
 *
 *	echo 5 > /sys/module/marked/parameters/level
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include "marker.h"

static int level;

static int set_level(const char *text, const struct kernel_param *param)
{
	int old = level, ret = param_set_int(text, param);

	if (ret)
		return ret;
	MARK(marked_level, "from %d to %d by %s", old, level, current->comm);
	return 0;
}

static const struct kernel_param_ops level_ops = {
	.set = set_level,
	.get = param_get_int,
};

module_param_cb(level, &level_ops, &level, 0644);
MODULE_PARM_DESC(level, "any number");
MODULE_DESCRIPTION("example of a module with a marker");
MODULE_LICENSE("GPL");
