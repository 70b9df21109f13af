/* SPDX-License-Identifier: GPL-2.0-only */
/* The trace event bench_event of events.h for LTTng: the name begins with that of the system. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(LTTNG_BENCH_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_BENCH_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(bench_event,
	TP_PROTO(int count, void *pointer),
	TP_ARGS(count, pointer),
	TP_FIELDS(
		ctf_integer_hex(void *, pointer, pointer)
		ctf_integer(int, count, count)
	)
)

#endif

#include <lttng/define_trace.h>
