/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A guard stands between a site and a probe: it lets events pass that match a
 * filter, and only the first N of those.  Connections without either have no
 * guard, so what they cost is not changed by it.
 */
#ifndef MARKERS_GUARD_H
#define MARKERS_GUARD_H

#include "env.h"
#include "filter.h"
#include "marker_fn.h"

struct guard {
	struct filter filter;
	unsigned long limit;		/* of events that pass; 0: none */
	atomic_long_t passed;		/* goes on past the limit */
};

/* What is behind a guard, of which there may be several. */
struct guarded {
	struct guard *guard;
	struct probe_link link;
};

/* What the sites call; its link's data is a struct guarded. */
marker_fn marker_guard;

static inline bool guard_is_needed(const struct guard *guard)
{
	return guard->limit || guard->filter.nclauses;
}

/* Whether the last event has passed. */
static inline bool guard_is_spent(const struct guard *guard)
{
	return guard->limit && (unsigned long)atomic_long_read(&guard->passed) >= guard->limit;
}

/* Events that may still pass, of a guard with a limit. */
static inline unsigned long guard_left(const struct guard *guard)
{
	unsigned long passed = atomic_long_read(&guard->passed);

	return passed < guard->limit ? guard->limit - passed : 0;
}

/*
 * Told, in the context of the site, that a guard has let its last event pass.
 * Set before anything is connected; NULL: nobody wants to know.
 */
extern void (*guard_spent)(void);

#endif
