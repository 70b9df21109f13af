/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of hooks of sites; sites with equal sets share one.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_HOOK_SET_H
#define MARKERS_HOOK_SET_H

#include "env.h"
#include "marker_args.h"
#include "table.h"

/* Most probes that one site can have. */
#define MARKER_HOOKS_MAX 16

/* A connected probe at the sites of a connection. */
struct marker_hook {
	struct marker_link link;
	unsigned int nsites;		/* sites that call it */
};

/* The hooks of a site, in the order of the calls.  Sites share sets. */
struct marker_hook_set {
	struct hlist_node same;		/* list of the sets whose hooks have the same hash */
	struct list_head unused;	/* while no site has it */
	unsigned int nsites;		/* sites that call it, or wait for those */
	unsigned int nhooks;
	struct marker_hook *hooks[MARKER_HOOKS_MAX];
	marker_fn *target;		/* function that sites call: probe or dispatcher */
	struct marker_link links[];	/* see marker_dispatch(); ends with a NULL func */
};

void marker_hook_init(struct marker_hook *hook, marker_fn *func, void *data);

/*
 * The set of these hooks, in this order, which no site need have yet; NULL for no hooks,
 * ERR_PTR(-ENOMEM).
 */
struct marker_hook_set *marker_hook_set_get(struct marker_hook *const *hooks, unsigned int n);

/* @site has its next set now; that before stays until marker_hook_set_put_old(). */
void marker_hook_set_take_next(struct marker_site_state *site);
void marker_hook_set_put_old(struct marker_site_state *site);

/* Free the hook sets that no site has. */
void marker_hook_set_free_unused(void);

/*
 * Call the probes of a site that has several.  @link is the first link of its set; its data is the
 * numbers of a count that has no link of its own, or NULL.  Context: as at the site.
 */
marker_fn marker_dispatch;

#endif
