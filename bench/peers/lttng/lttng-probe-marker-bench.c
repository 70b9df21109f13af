// SPDX-License-Identifier: GPL-2.0-only
/* LTTng's probe of the trace event bench_event; built among the sources of LTTng-modules. */
#include <linux/module.h>
#include <lttng/tracer.h>
#include <instrumentation/events/events.h>

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#include <instrumentation/events/bench.h>

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTTng's probe of the trace event of marker_bench");
