/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace event of the kernel that has the arguments of one marker as its
 * fields, made at run time: markers:NAME, for ftrace, perf and BPF.
 *
 * Fields: `line` (of the site), then one for each argument, called and typed as
 * format.h says.  A string is copied, at most EVENT_STRING_MAX bytes of it with
 * the NUL; NULL is "(null)".
 */
#ifndef PROBES_EVENT_H
#define PROBES_EVENT_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include "format.h"

#define EVENT_STRING_MAX 256

struct event {
	struct list_head list;			/* its owner's */
	struct trace_event_class class;
	struct trace_event_call call;
	struct trace_event_functions functions;
	struct tracepoint tp;			/* who listens: files of ftrace, perf */
	struct format format;
	u16 offset[MARKER_ARGS_MAX];		/* of the fields */
	u16 size;				/* of a record, without strings */
	void *owner;				/* NULL: it waits for its listeners to go */
};

/*
 * Makes the event of @site's marker and shows it to the kernel.  ERR_PTR():
 * -EEXIST when markers:NAME is there already, -ENOMEM, -ENODEV.  May sleep.
 */
struct event *event_create(const struct marker_site *site);

/* 0, and it is freed; -EBUSY while a tracer has it enabled or open.  May sleep. */
int event_destroy(struct event *event);

/* To all who listen.  Context: any.  @args: a machine word each. */
void event_write(struct event *event, const struct marker_site *site,
		 const unsigned long *args);

static inline const char *event_name(const struct event *event)
{
	return event->tp.name;
}

#endif
