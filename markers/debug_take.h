/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of debug sites become events.
 *
 * Context: as at the site, NMI included.
 */
#ifndef MARKERS_DEBUG_TAKE_H
#define MARKERS_DEBUG_TAKE_H

#include <linux/device.h>
#include <linux/netdevice.h>
#include "debug_args.h"
#include "debug_format.h"

/* Format of a message that is passed on, and has been recorded if it should be. */
extern const char *const marker_debug_passed_on;

/*
 * Call the probe of the site that calls __dynamic_pr_debug(), __dynamic_dev_dbg() or
 * __dynamic_netdev_dbg() with these arguments, if it has one.  Return whether the message has
 * to be printed.
 */
bool marker_debug_take_pr(const struct marker_debug_args *args);
bool marker_debug_take_dev(const struct marker_debug_args *args);
bool marker_debug_take_netdev(const struct marker_debug_args *args);

/* Extend an argument to a whole word: a register has undefined bits beyond the argument's type. */
static __always_inline unsigned long
marker_debug_widen(const struct marker_debug_word *word, unsigned long value)
{
	return ((value & word->mask) ^ word->sign) - word->sign;
}

static __always_inline unsigned long marker_debug_driver_of(const struct device *dev)
{
	return (unsigned long)(dev ? dev_driver_string(dev) : "");
}

static __always_inline unsigned long marker_debug_name_of(const struct device *dev)
{
	return (unsigned long)(dev ? dev_name(dev) : "(NULL device *)");
}

static __always_inline unsigned long marker_debug_interface_of(const struct net_device *dev)
{
	return (unsigned long)(dev ? netdev_name(dev) : "(NULL net_device)");
}

#endif
