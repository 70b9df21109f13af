/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trace events of events.h as peers.  While a run is enabled, trace_event
 * is written into ftrace's ring buffer, which wraps; bpf is measured if a BPF
 * program is attached to its raw tracepoint, which is the business of a program
 * outside (tools/vm/attach_bpf.c).
 */
#ifndef PEERS_TRACE_EVENT_H
#define PEERS_TRACE_EVENT_H

#include "events.h"

#define MARK_TRACE_EVENT(name, fmt, ...)	trace_bench_event(__VA_ARGS__)
#define MARK_BPF(name, fmt, ...)		trace_bench_bpf(__VA_ARGS__)

#endif
