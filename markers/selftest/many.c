// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_many_00.ko: 500 sites.  The test loads it many times over, under
 * names that it writes into copies of the file.
 *
 *	echo N > /sys/module/marker_many_00/parameters/fire	runs all N times
 */
#include <linux/module.h>
#include "fire.h"
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

MODULE_DESCRIPTION("500 markers, to be loaded many times over");
MODULE_LICENSE("GPL");
