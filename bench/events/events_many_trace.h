/* SPDX-License-Identifier: GPL-2.0-only */
/* 2,000 trace events of one class: many_1000 to many_2999. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM many

#define MANY_10(e, n)							\
	e(n##0) e(n##1) e(n##2) e(n##3) e(n##4) e(n##5) e(n##6) e(n##7) e(n##8) e(n##9)
#define MANY_100(e, n)							\
	MANY_10(e, n##0) MANY_10(e, n##1) MANY_10(e, n##2) MANY_10(e, n##3) MANY_10(e, n##4) \
	MANY_10(e, n##5) MANY_10(e, n##6) MANY_10(e, n##7) MANY_10(e, n##8) MANY_10(e, n##9)
#define MANY_1000(e, n)							\
	MANY_100(e, n##0) MANY_100(e, n##1) MANY_100(e, n##2) MANY_100(e, n##3) MANY_100(e, n##4) \
	MANY_100(e, n##5) MANY_100(e, n##6) MANY_100(e, n##7) MANY_100(e, n##8) MANY_100(e, n##9)

#define MANY_EVENT(n)	DEFINE_EVENT(many, many_##n, TP_PROTO(unsigned long word), TP_ARGS(word));

#if !defined(EVENTS_MANY_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define EVENTS_MANY_TRACE_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(many,
	TP_PROTO(unsigned long word),
	TP_ARGS(word),
	TP_STRUCT__entry(__field(unsigned long, word)),
	TP_fast_assign(__entry->word = word;),
	TP_printk("word=%lu", __entry->word)
);

MANY_1000(MANY_EVENT, 1)
MANY_1000(MANY_EVENT, 2)

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE events_many_trace
#include <trace/define_trace.h>
