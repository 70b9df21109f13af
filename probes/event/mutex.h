/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROBES_EVENT_MUTEX_H
#define PROBES_EVENT_MUTEX_H

/*
 * Calls @func with the kernel's event_mutex held, as trace_add_event_call() and
 * trace_remove_event_call() ask for.  May sleep.  0, or -ENODEV when the mutex cannot be
 * had: then @func was not called.  Not reentrant: the caller has a lock of its own.
 */
int marker_event_mutex_run(void (*func)(void));

struct trace_event_file;

/**
 * marker_event_mutex_keep_buffer - keep a buffer until this module leaves
 * @file: file of an event of a marker, which is being disabled in the instance of the buffer
 *
 * If the instance lacks the event markers_internal:mutex, the kernel empties the buffer when any
 * module is unloaded after @file is gone.
 *
 * Context: the caller holds the kernel's event_mutex.
 */
void marker_event_mutex_keep_buffer(struct trace_event_file *file);

/* The event that does it. */
#define MARKER_EVENT_MUTEX_SYSTEM	"markers_internal"
#define MARKER_EVENT_MUTEX_NAME		"mutex"

#endif
