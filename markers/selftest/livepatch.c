// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_livepatch.ko: replaces fire_nop5() of marker_test.ko, which has a
 * site, by a function that has one, too, and a pr_debug().
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include "marker_variants.h"

static void new_fire_nop5(int value)
{
	MARK_NOP5(livepatched, "%d %p", value, NULL);
	pr_debug("livepatched %d\n", value);
}

static struct klp_func funcs[] = {
	{ .old_name = "fire_nop5", .new_func = new_fire_nop5 },
	{ }
};

static struct klp_object objects[] = {
	{ .name = "marker_test", .funcs = funcs },
	{ }
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init livepatch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit livepatch_exit(void)
{
}

module_init(livepatch_init);
module_exit(livepatch_exit);
MODULE_DESCRIPTION("livepatch of an instrumented function, for the tests");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
