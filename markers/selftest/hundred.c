// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_hundred.ko: 100 sites.  The test loads it a thousand times over, under
 * names that it writes into copies of the file.
 *
 *	echo N > /sys/module/marker_hundred/parameters/fire	runs all N times
 */
#include <linux/module.h>
#include "marker.h"
#include "repeat.h"

#define SITE(n)		MARK(hundred_site, "%d", value);

static noinline void fire_all(int value)
{
	REPEAT_100(SITE, 1)
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

static int __init hundred_init(void)
{
	return 0;
}

static void __exit hundred_exit(void)
{
}

module_init(hundred_init);
module_exit(hundred_exit);
MODULE_DESCRIPTION("100 markers, to be loaded many times over");
MODULE_LICENSE("GPL");
