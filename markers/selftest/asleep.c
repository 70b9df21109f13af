// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_asleep.ko: sites with arguments that may sleep, which is forbidden, and one
 * with an argument that does not.
 *
 *	echo N > /sys/module/marker_asleep/parameters/fire	runs each N times
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include "marker.h"

static DEFINE_MUTEX(mutex);

static noinline int get_asleep(int value)
{
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	return value;
}

static noinline int get_awake(int value)
{
	return value;
}

static noinline void fire_all(int value)
{
	MARK(asleep_not, "%d", get_awake(value));
	MARK(asleep_mark, "%d", get_asleep(value));
	MARK_GENERIC(asleep_generic, "%d", get_asleep(value));
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

static int __init asleep_init(void)
{
	return 0;
}

static void __exit asleep_exit(void)
{
}

module_init(asleep_init);
module_exit(asleep_exit);
MODULE_DESCRIPTION("markers whose arguments sleep, for the tests of markers.ko");
MODULE_LICENSE("GPL");
