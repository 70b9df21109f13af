/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parameter "fire" of a test module: to write N there calls fire_all(), which the
 * module has defined, N times with the numbers N - 1 to 0.
 */
#ifndef MARKERS_SELFTEST_FIRE_H
#define MARKERS_SELFTEST_FIRE_H

#include <linux/module.h>

static noinline void fire_all(int value);

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

#endif
