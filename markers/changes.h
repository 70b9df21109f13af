/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The patches of a transaction, and what its sites have come to.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_CHANGES_H
#define MARKERS_CHANGES_H

#include "dispatch.h"
#include "env.h"
#include "patch.h"
#include "registry.h"

enum marker_change_step {
	CHANGES_CHANGE,	/* opens, closes, or leads calls to the dispatcher */
	CHANGES_CUT,	/* empties the calls of sites that would not close */
	CHANGES_TIDY,	/* after the wait: calls are direct, or call an empty function */
};

/* Makes one step with all sites of a transaction.  0, or what marker_patch_apply_if() says. */
int marker_changes_apply(const struct list_head *transaction, enum marker_change_step step,
			 struct marker_patch_stats *stats,
			 struct marker_patch_agreement *agreement);

/* It loses its last probe. */
bool marker_changes_closes(const struct marker_site_state *site);

/* Whether a CPU may be on its way to the calls. */
bool marker_changes_reaches(const struct marker_site_state *site);

/* Whether a CPU may load the link although the site has no probe. */
bool marker_changes_is_passed(const struct marker_site_state *site);

/* Whether its calls, one of which may be its gate, lead to a probe still. */
bool marker_changes_leads_on(const struct marker_site_state *site);

/* Whether anything of it is busy, or not as its probes ask for. */
bool marker_changes_needs_work(const struct marker_site_state *site);

#endif
