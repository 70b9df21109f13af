// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_asleep.ko: sites with arguments that may sleep, which is forbidden, and one
 * with an argument that does not.
 *
 *	echo N > /sys/module/marker_asleep/parameters/fire	runs each N times
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include "fire.h"
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

MODULE_DESCRIPTION("markers whose arguments sleep, for the tests of markers.ko");
MODULE_LICENSE("GPL");
