/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own tracepoint as a peer of MARK(), with the same arguments.
 * What it has while a run is "enabled" is one empty probe.
 *
 * From 6.16 on DECLARE_TRACE() appends _tp to the names of the functions, so
 * that one calls trace_subsys_mark1_tp().
 */
#ifndef PEERS_TRACEPOINT_H
#define PEERS_TRACEPOINT_H

#include <linux/tracepoint.h>

DECLARE_TRACE(subsys_mark1, TP_PROTO(int count, void *pointer), TP_ARGS(count, pointer));

#define MARK_TRACEPOINT(name, fmt, ...)	trace_##name(__VA_ARGS__)

#endif
