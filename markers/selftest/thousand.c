// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_thousand.ko: 1,000 markers, thousand_1000 to thousand_1999, each with one site.
 *
 *	echo N > /sys/module/marker_thousand/parameters/fire	runs all N times
 */
#include <linux/module.h>
#include "fire.h"
#include "marker.h"
#include "repeat.h"

#define SITE(n)		MARK(thousand_##n, "value=%d", value);

static noinline void fire_all(int value)
{
	REPEAT_1000(SITE, 1)
}

MODULE_DESCRIPTION("1,000 markers of as many names");
MODULE_LICENSE("GPL");
