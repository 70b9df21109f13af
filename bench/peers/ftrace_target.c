// SPDX-License-Identifier: GPL-2.0-only
/*
 * The traced function. In a kernel with the series it has a marker and a debug message of that
 * kernel: tools/vm/paths.sh switches them on. So this file includes no header of markers.ko.
 */
#define MARK_SYSTEM bench_series
#ifdef CONFIG_MARKERS
#include <linux/marker.h>
#else
#define MARK(name, format, ...)
#endif
#include <linux/printk.h>
#include "ftrace.h"

noinline void marker_bench_ftrace_target(int count, void *pointer)
{
	MARK(event, "count=%d pointer=%p", count, pointer);
#ifdef CONFIG_DYNAMIC_DEBUG_EVENTS
	pr_debug("count=%d pointer=%p\n", count, pointer);
#endif
	barrier();
}
