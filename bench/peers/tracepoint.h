/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own tracepoint as a peer of MARK(), with the same arguments.
 * What it has while a run is "enabled" is one empty probe: notrace as that of
 * MARK() has it, and for tracepoint_traced one that ftrace may trace, which
 * begins with the NOP for that.
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
