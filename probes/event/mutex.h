/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROBES_EVENT_MUTEX_H
#define PROBES_EVENT_MUTEX_H

struct trace_event_call;

/*
 * trace_add_event_call() and trace_remove_event_call() with the kernel's
 * event_mutex held, as they ask for.  May sleep.  Their errors, or -ENODEV when
 * the mutex cannot be had.  Not reentrant: the caller has a lock of its own.
 */
int marker_event_call_add(struct trace_event_call *call);
int marker_event_call_remove(struct trace_event_call *call);

#endif
