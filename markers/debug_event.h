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
 * @entry: the site, for the registry and the probes
 * @descriptor: descriptor of dynamic debug
 * @function: function that the site calls
 * @source: the format of its call; for a site with a kprobe, a part of that format
 * @known: a format of its call that has been compared with @source
 * @quick_source: @source, if all words of an event are arguments in registers; else NULL
 * @by_descriptor: node in the table of marker_debug_site_of()
 * @by_kprobe: true if its calls are not diverted, but recorded by a kprobe at @function
 * @keeps_key: the site has a probe, so its key stays enabled
 * @format: conversion of its arguments to events
 * @name: name of the marker; its format follows
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

/* Calls of diverted sites that had another format than was found, and were printed. */
unsigned long marker_debug_event_missed(void);

#endif
