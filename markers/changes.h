/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The patches of a transaction, and the resulting states of its sites.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_CHANGES_H
#define MARKERS_CHANGES_H

#include "dispatch.h"
#include "env.h"
#include "patch.h"
#include "registry.h"

/* Change of a site's probes in the transaction under way. */
enum marker_site_change {
	SITE_KEEPS,		/* the same probes, or none, before and after */
	SITE_OPENS,		/* first probe, and no CPU can be executing the calls */
	SITE_OPENS_LIVE,	/* first probe, while CPUs may be executing the calls */
	SITE_CHANGES,		/* other probes */
	SITE_CLOSES,		/* loses its last probe */
};

/* Code that a CPU may reach at a site, by the known bytes of the site. */
enum marker_site_reach {
	SITE_REACHES_NOTHING,	/* all gates are closed, so no CPU executes a call */
	SITE_REACHES_CALL,	/* all gates are closed, and the gate itself is the call */
	SITE_REACHES_BLOCK,	/* a gate is open, or has unexpected bytes */
};

enum marker_site_change marker_site_change(const struct marker_site_state *site);
enum marker_site_reach marker_site_reach(const struct marker_site_state *site);

/* True if a call of the site, which may be its gate, still leads to a probe. */
bool marker_site_calls_probe(const struct marker_site_state *site);

/* True if a gate or call is busy, or is not as the site's probes require. */
bool marker_site_needs_work(const struct marker_site_state *site);

enum marker_change_step {
	CHANGES_CHANGE,	/* opens, closes, or leads calls to the dispatcher */
	CHANGES_CUT,	/* empties the calls of sites that would not close */
	CHANGES_TIDY,	/* after the wait: calls are direct, or call an empty function */
};

/* The patches of one step of all sites of a transaction. */
struct marker_changes {
	struct marker_patch *patches;
	unsigned int n;
};

/**
 * marker_changes_begin - plan one step, lock text and verify its bytes
 * @changes: receives the patches
 * @transaction: sites that change, by struct marker_site_state.changed
 * @step: the step
 *
 * @group of each site then has the result.  The caller calls marker_changes_commit()
 * or marker_changes_cancel(), which unlock text and free the patches.
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: 0; -ENOMEM; or the errors of marker_patch_begin().  After an error nothing is
 *	   locked and nothing has to be freed.
 */
int marker_changes_begin(struct marker_changes *changes, const struct list_head *transaction,
			 enum marker_change_step step);

/*
 * Write the patches as marker_patch_commit() does, and set the states of gates and calls to the
 * result.
 */
int marker_changes_commit(struct marker_changes *changes, struct marker_patch_stats *stats);
void marker_changes_cancel(struct marker_changes *changes);

#endif
