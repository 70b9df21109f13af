// SPDX-License-Identifier: GPL-2.0-only
/*
 * A marker for each number of arguments, whose values are 1, 2, and so on, and one with more
 * text than is copied in one go: 200 times a, 300 times b.
 */
#define MARK_SYSTEM markers

#include <linux/marker.h>
#include <linux/module.h>
#include <linux/string.h>

static char a[201], b[301];

static int fire(const char *text, const struct kernel_param *param)
{
	MARK(marked_args_1, "%d", 1);
	MARK(marked_args_2, "%d %d", 1, 2);
	MARK(marked_args_3, "%d %d %d", 1, 2, 3);
	MARK(marked_args_4, "%d %d %d %d", 1, 2, 3, 4);
	MARK(marked_args_5, "%d %d %d %d %d", 1, 2, 3, 4, 5);
	MARK(marked_args_6, "%d %d %d %d %d %d", 1, 2, 3, 4, 5, 6);
	MARK(marked_args_7, "%d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7);
	MARK(marked_args_8, "%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8);
	MARK(marked_args_9, "%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9);
	MARK(marked_args_10, "%d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	MARK(marked_args_11, "%d %d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
	MARK(marked_args_12, "%d %d %d %d %d %d %d %d %d %d %d %d",
	     1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	memset(a, 'a', sizeof(a) - 1);
	memset(b, 'b', sizeof(b) - 1);
	/* For call chains and stack traces. */
	MARK(marked_here, "here");
	MARK(marked_texts, "%s %s %s %.5s %s", "first", a, b, "fourth", (const char *)NULL);
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };

module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_DESCRIPTION("Markers of one to twelve arguments, and of long texts");
MODULE_LICENSE("GPL");
