// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_many_00.ko: 500 sites.  The test loads it many times over, under
 * names that it writes into copies of the file.
 *
 *	echo N > /sys/module/marker_many_00/parameters/fire	runs all N times
 */
#include <linux/module.h>
#include "marker.h"
#include "repeat.h"

#define SITE(n)		MARK(many_site, "%d", value);

static noinline void fire_all(int value)
{
	REPEAT_100(SITE, 1)
	REPEAT_100(SITE, 2)
	REPEAT_100(SITE, 3)
	REPEAT_100(SITE, 4)
	REPEAT_100(SITE, 5)
}

static int set_fire(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int ret = kstrtouint(text, 10, &n);

	while (!ret && n--)
		fire_all(n);
	return ret;
}

static const struct kernel_param_ops fire_ops = { .set = set_fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_PARM_DESC(fire, "runs all sites so many times");

static int __init many_init(void)
{
	return 0;
}

static void __exit many_exit(void)
{
}

module_init(many_init);
module_exit(many_exit);
MODULE_DESCRIPTION("500 markers, to be loaded many times over");
MODULE_LICENSE("GPL");
