/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own tracepoint as a peer of MARK(), with the same arguments.
 * While a run is "enabled", it has one empty probe: notrace as that of
 * MARK(), and for tracepoint_traced a probe that ftrace may trace, which
 * begins with a NOP.
 *
 * From 6.16 on DECLARE_TRACE() appends _tp to the names of the functions, and
 * DECLARE_TRACE_EVENT() does not.
 */
#ifndef PEERS_TRACEPOINT_H
#define PEERS_TRACEPOINT_H

#include <linux/tracepoint.h>

#ifndef DECLARE_TRACE_EVENT
#define DECLARE_TRACE_EVENT DECLARE_TRACE
#endif

DECLARE_TRACE_EVENT(subsys_mark1, TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));
DECLARE_TRACE_EVENT(subsys_mark1_traced, TP_PROTO(int count, void *pointer),
		    TP_ARGS(count, pointer));

#define MARK_TRACEPOINT(name, fmt, ...)		trace_##name(__VA_ARGS__)
#define MARK_TRACEPOINT_TRACED(name, fmt, ...)	trace_##name##_traced(__VA_ARGS__)

#endif
