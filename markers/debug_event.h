/* SPDX-License-Identifier: GPL-2.0-only */
/* A debug site as the code sees it that a CPU passes. */
#ifndef MARKERS_DEBUG_EVENT_H
#define MARKERS_DEBUG_EVENT_H

#include <linux/dynamic_debug.h>
#include "debug_format.h"
#include "env.h"
#include "marker_args.h"

/**
 * struct marker_debug_site - a debug site
 * @entry: the site as the registry and the probes know it
 * @descriptor: of dynamic debug
 * @function: what it calls
 * @source: the format with which it calls; of a site with a kprobe a text that is in it
 * @known: a format with which it calls, and that has been compared with @source
 * @quick_source: @source, if all words of an event are arguments in registers; else NULL
 * @by_descriptor: in the table of marker_debug_site_of()
 * @by_kprobe: its calls are not diverted: a kprobe at @function records them
 * @keeps_key: the site has a probe, so its key stays enabled
 * @format: how its events are made
 * @name: of the marker; its format follows
 */
struct marker_debug_site {
	struct marker_site entry;
	struct _ddebug *descriptor;
	const struct marker_debug_function *function;
	const char *source;
	const char *known;
	const char *quick_source;
	struct hlist_node by_descriptor;
	bool by_kprobe;
	bool keeps_key;
	struct marker_debug_format format;
	char name[];
};

static inline struct marker_debug_site *marker_debug_site_of_entry(const struct marker_site *entry)
{
	return container_of(entry, struct marker_debug_site, entry);
}

/* The site of a descriptor, or NULL.  Context: any; until marker_debug_site_forget(). */
struct marker_debug_site *marker_debug_site_of(const struct _ddebug *descriptor);

/*
 * Locks: marker_mutex. After marker_debug_site_forget(), wait (quiesce.h) before the site is
 * freed.
 */
void marker_debug_site_learn(struct marker_debug_site *site);
void marker_debug_site_forget(struct marker_debug_site *site);

#endif
