// SPDX-License-Identifier: GPL-2.0-only
/*
 * copy: the thread's do_mark1(): takes the arguments of "%d %p" out of the
 * variable argument list and keeps the last ones.
 */
#include <linux/stdarg.h>
#include "marker_probe.h"

/* Last value and last pointer; every site that runs writes them. */
static int last_value;
static void *last_pointer;

static noinline notrace void do_mark1(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	WRITE_ONCE(last_value, va_arg(ap, int));
	WRITE_ONCE(last_pointer, va_arg(ap, void *));
	va_end(ap);
}

static void notrace copy(MARKER_PARAMS)
{
	do_mark1(site->format, a, b);
}

static struct marker_probe probe = {
	.name = "copy",
	.format = "%d %p",
	.func = copy,
	.leaf = true,
	.owner = THIS_MODULE,
};

module_param(last_value, int, 0444);
MODULE_PARM_DESC(last_value, "the integer of the last event");
MARKER_PROBE_MODULE(probe, "marker probe that copies its arguments");
MODULE_VERSION(MARKERS_VERSION);
