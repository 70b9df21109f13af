/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * markers:marker, the one trace event of the probe `trace`, for markers of any
 * name and format.  `text` is the printed form; argN are the arguments as
 * machine words, 0 past the last one.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM markers

#if !defined(PROBES_PROBE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PROBES_PROBE_TRACE_H

#include <linux/tracepoint.h>
#include "marker_abi.h"

/*
 * Called when the first listener comes and when the last one goes. In between this module stays
 * loaded, because the kernel would empty buffers that contain the event.
 */
int marker_trace_listened(void);
void marker_trace_unlistened(void);

/* Strings as dynamic arrays, whose macros are the same in all kernels. */
TRACE_EVENT_FN(marker,
	TP_PROTO(const struct marker_site *site, const unsigned long *args, const char *text),
	TP_ARGS(site, args, text),
	TP_STRUCT__entry(
		__dynamic_array(char, name, strlen(site->name) + 1)
		__dynamic_array(char, file, strlen(site->file) + 1)
		__field(unsigned short, line)
		__field(unsigned int, types)
		__field(unsigned long, arg0)
		__field(unsigned long, arg1)
		__field(unsigned long, arg2)
		__field(unsigned long, arg3)
		__field(unsigned long, arg4)
		__field(unsigned long, arg5)
		__field(unsigned long, arg6)
		__field(unsigned long, arg7)
		__dynamic_array(char, text, strlen(text) + 1)
	),
	TP_fast_assign(
		memcpy(__get_dynamic_array(name), site->name, __get_dynamic_array_len(name));
		memcpy(__get_dynamic_array(file), site->file, __get_dynamic_array_len(file));
		memcpy(__get_dynamic_array(text), text, __get_dynamic_array_len(text));
		__entry->line = site->line;
		__entry->types = site->types;
		__entry->arg0 = args[0];
		__entry->arg1 = args[1];
		__entry->arg2 = args[2];
		__entry->arg3 = args[3];
		__entry->arg4 = args[4];
		__entry->arg5 = args[5];
		__entry->arg6 = args[6];
		__entry->arg7 = args[7];
	),
	TP_printk("%s %s:%u %s", __get_str(name), __get_str(file), __entry->line,
		  __get_str(text)),
	marker_trace_listened,
	marker_trace_unlistened
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE probe_trace
#include <trace/define_trace.h>
