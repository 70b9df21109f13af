// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_hundred.ko: 100 sites.  The test loads it a thousand times over, under
 * names that it writes into copies of the file.
 *
 *	echo N > /sys/module/marker_hundred/parameters/fire	runs all N times
 */
#include <linux/module.h>
#include "fire.h"
#include "marker.h"
#include "repeat.h"

#define SITE(n)		MARK(hundred_site, "%d", value);

static noinline void fire_all(int value)
{
	REPEAT_100(SITE, 1)
}

MODULE_DESCRIPTION("100 markers, to be loaded many times over");
MODULE_LICENSE("GPL");
