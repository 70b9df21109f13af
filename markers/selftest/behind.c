// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_behind.ko: a MARK_BEHIND() whose switch logs its argument, so that a test can see the
 * calls after the module has gone. With fail=1 its init fails.
 */
#include <linux/module.h>
#include "marker.h"

static bool fail;
module_param(fail, bool, 0444);
MODULE_PARM_DESC(fail, "let init fail");

static bool traced;

static void set_traced(bool open)
{
	WRITE_ONCE(traced, open);
	pr_info("marker_behind: %s\n", open ? "opened" : "closed");
}

static noinline void fire(int value)
{
	if (READ_ONCE(traced))
		MARK_BEHIND(set_traced, behind_event, "%d", value);
}

static int __init behind_init(void)
{
	fire(1);
	return fail ? -ENODEV : 0;
}

static void __exit behind_exit(void)
{
	fire(2);
}

module_init(behind_init);
module_exit(behind_exit);
MODULE_DESCRIPTION("a marker behind a test, for the tests of markers.ko");
MODULE_LICENSE("GPL");
