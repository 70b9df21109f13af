/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sizes

#if !defined(SIZE_TRACE_EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define SIZE_TRACE_EVENT_H

#include <linux/tracepoint.h>

#define EVENT(n)							\
TRACE_EVENT(whole_##n,							\
	TP_PROTO(int pid, const char *text),				\
	TP_ARGS(pid, text),						\
	TP_STRUCT__entry(__field(int, pid) __array(char, text, 16)),	\
	TP_fast_assign(__entry->pid = pid; strscpy(__entry->text, text, 16);), \
	TP_printk("pid=%d text=%s", __entry->pid, __entry->text)	\
);
HUNDRED(EVENT)

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE size_trace_event
#include <trace/define_trace.h>
