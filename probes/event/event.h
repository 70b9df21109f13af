/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace event of the kernel that has the arguments of one marker as its
 * fields, made at run time: markers:NAME, for ftrace, perf and BPF.
 *
 * Fields: `line` (of the site), then one for each argument, called and typed as
 * format.h says.  What the format makes a text of (%s, %pI4, %pS, ...) is stored
 * as that text, which is made where the event happens.
 */
#ifndef PROBES_EVENT_H
#define PROBES_EVENT_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include "marker_probe.h"
#include "record.h"

struct marker_event {
	struct list_head list;			/* its owner's */
	struct trace_event_class class;
	struct trace_event_call call;
	struct tracepoint tp;			/* who listens: files of ftrace, perf */
	struct marker_event_record_type *type;
	void *owner;				/* NULL: it waits for its listeners to go */
};

/*
 * Makes the event of @site's marker and shows it to the kernel.  ERR_PTR():
 * those of marker_plan_make(), -EINVAL when tracefs has another use for its name,
 * -EEXIST when markers:NAME is there already, -ENOMEM, -ENOSPC, -ENODEV.  May
 * sleep.
 */
struct marker_event *marker_event_create(const struct marker_site *site,
					 const struct marker_event_format *format);

/* 0, and it is freed; -EBUSY while a tracer has it enabled or open.  May sleep. */
int marker_event_destroy(struct marker_event *event);

/*
 * What sites call, with a struct marker_event as the data of the link: to all who listen.
 * Context: any.
 */
marker_fn marker_event_write;

static inline const char *marker_event_name(const struct marker_event *event)
{
	return event->tp.name;
}

#endif
