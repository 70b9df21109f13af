/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace event of the kernel that has the arguments of one marker as its
 * fields, made at run time: markers:NAME, for ftrace, perf and BPF.  The event of a
 * marker SYSTEM/NAME is SYSTEM:NAME.
 *
 * Fields: `line` (of the site), then one for each argument, with name and type as
 * format.h says.  An argument that the format prints as a text (%s, %pI4, %pS, ...) is stored
 * as that text, which is made at the site.
 */
#ifndef PROBES_EVENT_H
#define PROBES_EVENT_H

#include <linux/list.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include "marker_probe.h"
#include "record.h"

/* Function that enables and disables an event, with the kernel's event_mutex held. */
typedef int marker_event_reg_fn(struct trace_event_call *call, enum trace_reg what, void *data);

struct marker_event {
	struct trace_event_class class;
	struct trace_event_call call;
	struct tracepoint tp;			/* name; listeners: files of ftrace, perf */
	const char *name;			/* name of the marker; tp.name is in it */
	const char *system;			/* NULL: the system of markers without a system */
	struct marker_event_record_type *type;
	const char *site_format;		/* this and the next: of the site it was made for */
	u32 types;
	bool written;				/* enabled in ftrace, which may still have it */
};

/*
 * Make the event of @site's marker, with the marker's name. -EINVAL if tracefs uses the name for
 * something else, and errors of marker_plan_make(), logged; -ENOMEM, -ENOSPC. May sleep.
 */
int marker_event_init(struct marker_event *event, const struct marker_site *site,
		      marker_event_reg_fn *reg);

/*
 * Undo marker_event_init(), also after an error, or for an event that has only a name. No site
 * leads to it.
 */
void marker_event_exit(struct marker_event *event);

/*
 * Shows it to the kernel, and takes it away: -EBUSY while a tracer has it enabled or open.
 * After that a listener may still be on its way until tracepoint_synchronize_unregister().
 * Locks: the kernel's event_mutex.
 */
int marker_event_add(struct marker_event *event);
int marker_event_remove(struct marker_event *event);

/*
 * Give it the name of @site's marker and the format of @site, copied to @to, which has to stay and
 * has marker_event_names_size() bytes. This comes first.
 */
size_t marker_event_names_size(const struct marker_site *site);
void marker_event_set_names(struct marker_event *event, char *to, const struct marker_site *site);

/* True if the kernel has another event of its name.  Locks: takes event_mutex. */
bool marker_event_name_is_used(const struct marker_event *event);

/* True if the event of @site's marker would be the same; -EINVAL, logged: it would not be. */
bool marker_event_is_of(const struct marker_event *event, const struct marker_site *site);
int marker_event_check(const struct marker_event *event, const struct marker_site *site);

static inline const char *marker_event_name(const struct marker_event *event)
{
	return event->name;
}

/* Return the name of the event's system in tracefs. */
static inline const char *marker_event_system(const struct marker_event *event)
{
	return event->system ?: "markers";
}

#endif
