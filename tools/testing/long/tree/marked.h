/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two modules that have events in common.  Of the markers of each some are refused, and the
 * others are events all the same.  A write to the parameter fire passes them all.
 */
#define MARK_SYSTEM markers

#include <linux/marker.h>
#include <linux/module.h>

enum marked_state { MARKED_IDLE, MARKED_BUSY = BUSY };

/* The name of an event may be a macro only so: MARK() does not expand it. */
#define MARK_AS(name, ...)	MARK(name, ##__VA_ARGS__)

static void fire_common(const char *text)
{
	MARK(marked_common, "text=%s", text);
}

static int fire(const char *text, const struct kernel_param *param)
{
	fire_common(text);
	MARK(marked_common, "number=%d", 1);
	MARK_AS(OWN, "s8=%d u16=%u text=%.3s bad=%s null=%s ip=%pI4 long=%ld char=%c percent=100%%",
	     (s8)-8, (u16)65535, text, (const char *)8, (const char *)NULL, "\1\2\3\4", -9L, 'x');
	MARK_FIELDS(marked_names, symbolic(state, MARKED_BUSY, MARKED_IDLE, MARKED_BUSY));
	MARK(marked_width, "width=%*d", 4, 1);
	MARK(marked_decoded, "rate=%*ph", 3, "\1\2\3");
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_DESCRIPTION("Markers for tests");
MODULE_LICENSE("GPL");
