// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_systems.ko: the markers of a file with a system of its own; marker_types.ko has one of
 * the same name and another format.  A write to the parameter fire passes them.
 */
#define MARK_SYSTEM selftest

#include <linux/module.h>
#include "marker.h"

static int fire(const char *text, const struct kernel_param *param)
{
	MARK(types_ints, "text=%s", "of selftest");
	MARK_FIELDS(named, field(u16, port, (u16)80));
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_DESCRIPTION("markers in a system of their own, for tests");
MODULE_LICENSE("GPL");
