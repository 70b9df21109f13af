/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that sites call: each writes one event to the listeners of its trace event. */
#ifndef PROBES_EVENT_WRITE_H
#define PROBES_EVENT_WRITE_H

#include "event.h"

/* The function for the events with the arguments of @event; link->data is the marker_event. */
marker_fn *marker_event_write_find(const struct marker_event *event);

/* The function for all events. */
marker_fn marker_event_write;

/* Functions whose addresses represent ftrace and perf in the list of listeners. */
void marker_event_of_ftrace(void);
void marker_event_of_perf(void);

#endif
