// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_systems.ko: a marker in the system of its module, of which marker_test.ko has one of the
 * same name and another format.  A write of N to the parameter fire executes it N times.
 */
#include <linux/module.h>
#include "marker.h"
#include "systems.h"

static noinline void fire_systems(int value)
{
	MARK(test_three, "%d", value);
}

static int fire(const char *text, const struct kernel_param *param)
{
	int i, n, ret = kstrtoint(text, 0, &n);

	for (i = 0; !ret && i < n; i++) {
		fire_systems(i);
		marker_systems_named(i);
	}
	return ret;
}

static const struct kernel_param_ops fire_ops = { .set = fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_DESCRIPTION("markers in several systems, for tests");
MODULE_LICENSE("GPL");
