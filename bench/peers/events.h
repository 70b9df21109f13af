/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two trace events, with the arguments of the thread's site: bench_event is
 * written into the ring buffer of ftrace, and bench_bpf is there for a BPF
 * program on its raw tracepoint.  So each event is used in one way only.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench_peers

#if !defined(PEERS_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define PEERS_EVENTS_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(bench_arguments,
	TP_PROTO(int count, void *pointer),
	TP_ARGS(count, pointer),
	TP_STRUCT__entry(
		__field(void *, pointer)
		__field(int, count)
	),
	TP_fast_assign(
		__entry->pointer = pointer;
		__entry->count = count;
	),
	TP_printk("count=%d pointer=%p", __entry->count, __entry->pointer)
);

DEFINE_EVENT(bench_arguments, bench_event,
	TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));

DEFINE_EVENT(bench_arguments, bench_bpf,
	TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE events
#include <trace/define_trace.h>
