/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of the trace events of markers.  An event is in the list, by the name of its marker,
 * while the marker is exposed or connected; marker_event_list_settle() then updates the kernel.
 *
 * Locks: settle_mutex, the kernel's event_mutex, those of markers.ko, events_mutex, the
 * kernel's trace_types_lock, in this order.  The functions of a probe are called with the locks of
 * markers.ko held and take only events_mutex, so only marker_event_list_settle() adds events
 * to the kernel and removes them.
 */
#ifndef PROBES_EVENT_LIST_H
#define PROBES_EVENT_LIST_H

#include "event.h"

struct seq_file;

/* The data of a connection. */
struct marker_event_owner {
	struct list_head events;
	bool while_enabled;			/* ends when none of its events is enabled */
};

struct marker_event_known {
	struct list_head list;
	struct hlist_node by_name;
	struct list_head owned;			/* node of its owner's list */
	struct marker_event_owner *owner;	/* NULL: not connected */
	atomic_t listeners;			/* users that enabled it; each pins this module */
	int error;				/* why the kernel does not have it */
	bool exposed;
	bool added;				/* the kernel has it */
	struct marker_event event;
};

/*
 * Initialise the list. @reg enables and disables events, like that of a struct trace_event_class.
 */
void marker_event_list_init(marker_event_reg_fn *reg);

/*
 * The event of @site's marker, for @owner.  ERR_PTR(): -EEXIST, it has another owner; -EINVAL,
 * its arguments are others; -EBUSY, the same while it waits for its listeners to go; the
 * errors of marker_event_init().
 */
struct marker_event *marker_event_list_get(struct marker_event_owner *owner,
					   const struct marker_site *site);

/* @owner has none any more; no site leads to them. */
void marker_event_list_put(struct marker_event_owner *owner);

/* True if any tracer has one of the owner's events enabled. */
bool marker_event_list_is_enabled(const struct marker_event_owner *owner);

/* True if it has an owner that stays when it is disabled. */
bool marker_event_list_is_connected(const struct marker_event_known *known);

/*
 * Add the events to the kernel that are connected or, if @exposed, exposed, and remove the others.
 * Return true if some could not be removed yet, so that the function has to be called again. May
 * sleep; the caller holds no lock of markers.ko and none of the kernel's tracing.
 */
bool marker_event_list_settle(bool exposed);

bool marker_event_list_is_empty(void);

void marker_event_list_show(struct seq_file *m);

#endif
