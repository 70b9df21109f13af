/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef EVENTS_H
#define EVENTS_H

#include "tracing.h"

/* Memory of a record: PAST has the bytes of earlier records, of which none is a defined value. */
#define EVENTS_PAST	0xa5

/* tracing.c: the events that the kernel has; NULL if there is none of this name. */
extern struct list_head events_known;
struct trace_event_call *events_find(const char *system, const char *name);

/* The kind of record of a number, or NULL; and how many there are. */
struct trace_event *events_of_number(unsigned int number);
unsigned int events_numbers(void);

/* Enable or disable an event for ftrace or for perf. */
int events_enable(struct trace_event_call *call, bool perf);
void events_disable(struct trace_event_call *call, bool perf);

/* True if a file of an event is open, so that the event cannot be removed. */
extern bool events_are_open;

/* True if the kernel refuses to remove an event. */
extern bool events_are_busy;

/*
 * True from the first refused number on: the kernel has no number left, and an event without one
 * is not tried again.
 */
extern bool events_have_no_number;

/* Make an instance of tracefs, for which the kernel defines the fields that an event lacks. */
void events_new_instance(void);

/* Run the delayed work, until there is none. */
void events_run_work(void);

/* events.c: a record that was written to a listener; of perf with the bytes that it adds. */
void events_see(struct trace_event_call *call, const u8 *record, size_t size, bool perf);

/* events.c: one line of TAP. */
void check(bool good, const char *format, ...) __printf(2, 3);

/* faults.c: execute commands as the file control does, and all work that they cause. */
int events_execute(const char *commands);

/* faults.c: each request of each step is refused in turn. */
void check_faults(void);

/* sites.c: fire the markers of the program with values of event number @n. */
void events_fire(unsigned int n);

/* Called with each text that is read at a site, before it is read; or NULL. */
extern void (*events_on_text)(char *text);

#endif
