/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A guard is a function between a site and a probe. It passes only events that match a filter,
 * only the first N of these, and, unless the probe is a leaf, no nested event: an event that
 * occurs while a probe runs in the same task, softirq, interrupt or NMI. Connections of leaves
 * without filter and limit have no guard, so their cost does not change.
 */
#ifndef MARKERS_GUARD_H
#define MARKERS_GUARD_H

#include "env.h"
#include "filter.h"
#include "marker_args.h"

struct marker_guard {
	struct marker_filter filter;
	unsigned long limit;		/* number of events that pass; 0: no limit */
	bool leaf;			/* the probe is one: struct marker_probe */
	atomic_long_t passed;		/* continues past the limit */
	atomic_long_t nested;		/* events that were refused for that */
};

/* Probe behind a guard, for sites that have the filtered fields in the same arguments. */
struct marker_guarded {
	struct marker_guard *guard;
	struct marker_filter_fields fields;
	struct marker_link link;
};

/*
 * Return the function that sites with these fields call to go through @guard, or NULL if no check
 * is needed.  The data of the link is a struct marker_guarded.
 */
marker_fn *marker_guard_func(const struct marker_guard *guard,
			     const struct marker_filter_fields *fields);

/* True if the last event has passed. */
static inline bool marker_guard_is_spent(const struct marker_guard *guard)
{
	return guard->limit && (unsigned long)atomic_long_read(&guard->passed) >= guard->limit;
}

/* Events that may still pass, of a guard with a limit. */
static inline unsigned long marker_guard_left(const struct marker_guard *guard)
{
	unsigned long passed = atomic_long_read(&guard->passed);

	return passed < guard->limit ? guard->limit - passed : 0;
}

/*
 * Called, in the context of the site, when a guard has let its last event pass.
 * Set before anything is connected; may be NULL.
 */
extern void (*marker_guard_spent)(void);

#endif
