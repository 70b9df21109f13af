/* SPDX-License-Identifier: GPL-2.0-only */
/* Two drivers that each have an event "open", of other formats, in the systems of their modules. */
#include <linux/marker.h>
#include <linux/module.h>

static int fire(const char *text, const struct kernel_param *param)
{
	MARK(open, FORMAT, VALUE);
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_DESCRIPTION("A marker that another module has, too");
MODULE_LICENSE("GPL");
