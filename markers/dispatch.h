/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a site calls: the way from its gate to one probe or to several, and
 * how it changes while the site runs.
 *
 * Locks: everything under markers_mutex, but marker_dispatch().
 */
#ifndef MARKERS_DISPATCH_H
#define MARKERS_DISPATCH_H

#include "env.h"
#include "marker_fn.h"
#include "patch.h"
#include "registry.h"
#include "site.h"

/* Most probes that one site can have. */
#define HOOKS_MAX 16

/* One connected probe, as the sites see it.  Part of a connection. */
struct hook {
	struct probe_link link;
	bool preempt_off;		/* call it with preemption disabled */
	unsigned int nsites;		/* that call it */
	struct list_head sets;		/* in which it is the last */
};

/* The hooks of a site, in the order of the calls.  Sites share sets. */
struct link_set {
	struct list_head list;		/* of the last hook's sets */
	struct list_head unused;	/* while no site has it */
	unsigned int nsites;
	unsigned int nhooks;
	struct hook *hooks[HOOKS_MAX];
	marker_fn *target;		/* what the sites call: probe or dispatcher */
	struct probe_link links[];	/* what they pass; ends with a NULL func */
};

void hook_init(struct hook *hook, marker_fn *func, void *data, bool preempt_off);

/*
 * Changes what @site will have after the transaction, which it joins.
 * -ENOMEM, -ENOSPC past HOOKS_MAX.
 */
int dispatch_add(struct list_head *transaction, struct site *site, struct hook *hook);
int dispatch_del(struct list_head *transaction, struct site *site, struct hook *hook);

/*
 * Carries the transaction out, or undoes the wishes.  When it returns 0 and a
 * hook was taken from a site, no probe runs any more that was called for it.
 * The errors of patch_apply(), -ENOMEM.
 */
int dispatch_commit(struct list_head *transaction);
void dispatch_abort(struct list_head *transaction);

/* The site goes away with its module; nothing of it runs any more. */
void dispatch_forget(struct site *site);

/* Of the last transaction that changed text or flags. */
struct dispatch_stats {
	struct patch_stats patch;	/* opening and closing */
	struct patch_stats tidy;	/* calls, after the wait */
	unsigned int sites;
	u64 wait_ns;			/* for probes to return */
};

extern struct dispatch_stats dispatch_last;

/* The entries of sites with more than one probe. */
marker_fn marker_dispatch, marker_dispatch_preempt_off;

#endif
