/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our events for LTTng-UST, whose headers read this file several times, each time with other
 * definitions of the macros.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER	marker_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE	"provider.h"

#if !defined(NATIVE_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define NATIVE_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT_CLASS(marker_bench, site,
	LTTNG_UST_TP_ARGS(int, count, void *, pointer),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, count, count)
		lttng_ust_field_integer_hex(unsigned long, pointer, (unsigned long)pointer)
	)
)

/* Tracepoints: subsys_mark1 is never enabled, bench_event always is. */
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(marker_bench, site, marker_bench, subsys_mark1,
	LTTNG_UST_TP_ARGS(int, count, void *, pointer))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(marker_bench, site, marker_bench, bench_event,
	LTTNG_UST_TP_ARGS(int, count, void *, pointer))

#endif

#include <lttng/tracepoint-event.h>
