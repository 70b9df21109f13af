/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two modules that have an event in common.  Of the markers of each some are wrong, and
 * the others are to be events all the same.  A write to the parameter fire passes them all.
 */
#include <linux/marker.h>
#include <linux/module.h>

enum marked_state { MARKED_IDLE, MARKED_BUSY = BUSY };

static void fire_common(const char *text)
{
	MARK(marked_common, "text=%s", text);
}

static int fire(const char *text, const struct kernel_param *param)
{
	fire_common(text);
	MARK(marked_common, "number=%d", 1);
	MARK(OWN, "s8=%d u16=%u text=%.3s bad=%s null=%s ip=%pI4 long=%ld char=%c percent=100%%",
	     (s8)-8, (u16)65535, text, (const char *)8, (const char *)NULL, "\1\2\3\4", -9L, 'x');
	MARK_FIELDS(marked_names, symbolic(state, MARKED_BUSY, MARKED_IDLE, MARKED_BUSY));
	MARKER(marked_syscall, BUSY == 2, NULL, "number=%d", 1);
	MARK(marked_width, "width=%*d", 4, 1);
	MARK(marked_decoded, "file=%pD", NULL);
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_DESCRIPTION("Markers for tests");
MODULE_LICENSE("GPL");
