/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dispatch from the gate of a site to one probe or several, and changes of that way while the
 * site runs.
 *
 * Locks: everything under marker_mutex.
 */
#ifndef MARKERS_DISPATCH_H
#define MARKERS_DISPATCH_H

#include "env.h"
#include "hook_set.h"
#include "patch.h"
#include "registry.h"

/*
 * Change the staged hooks of @site, which joins the transaction: add one hook, or remove those
 * that @leaves() selects. -ENOMEM, -ENOSPC past MARKER_HOOKS_MAX.
 */
int marker_dispatch_add(struct list_head *transaction, struct marker_site_state *site,
			struct marker_hook *hook);
int marker_dispatch_del(struct list_head *transaction, struct marker_site_state *site,
			bool (*leaves)(const struct marker_hook *hook));

/* Adds the sites that have busy gates or calls, were refused, or are not as they should be. */
void marker_dispatch_join_busy(struct list_head *transaction);

/* After marker_dispatch_verify(): true if no gate of @site can be changed. */
bool marker_dispatch_is_blocked(const struct marker_site_state *site);

struct marker_changes;

/* Costs of a transaction that changed text or flags. */
struct marker_dispatch_stats {
	struct marker_patch_stats patch;	/* opening and closing */
	struct marker_patch_stats tidy;	/* calls, after the wait */
	unsigned int sites;
	bool waits;			/* probes may run that were taken away */
	u64 wait_ns;			/* for probes to return */
};

/* Costs of the last finished transaction. */
extern struct marker_dispatch_stats marker_dispatch_last;

/*
 * The steps of a transaction, which transaction.c calls:
 *
 *	marker_dispatch_verify()	determines which changes are possible
 *	the caller decides
 *	marker_dispatch_apply()		or marker_dispatch_cancel()
 *	the caller waits, if @stats->waits (quiesce.h); it may release marker_mutex meanwhile
 *	marker_dispatch_finish()
 */

/**
 * marker_dispatch_verify - prepare the changes, lock text and verify all bytes
 * @transaction: sites that change
 * @changes: receives the patches
 * @stats: receives the costs of the transaction
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: 0, with text locked until marker_dispatch_apply() or marker_dispatch_cancel().
 *	   -ENOMEM, or the errors of marker_text_map() and marker_kprobe_gate_open(); after an error
 *	   the staged changes are dropped.
 */
int marker_dispatch_verify(struct list_head *transaction, struct marker_changes *changes,
			   struct marker_dispatch_stats *stats);

/*
 * Make the verified changes. Gates with foreign bytes are left alone. A site that keeps its hooks,
 * because a foreign gate or call leads to them, is counted in the hooks' nsites.
 */
void marker_dispatch_apply(struct list_head *transaction, struct marker_changes *changes,
			   struct marker_dispatch_stats *stats);

/* Change nothing, and drop the staged changes. */
void marker_dispatch_cancel(struct list_head *transaction, struct marker_changes *changes);

/* Finish the transaction after the wait, when no removed probe runs any more. */
void marker_dispatch_finish(struct list_head *transaction, struct marker_dispatch_stats *stats);

/* Drop the staged changes of a transaction that was not verified. */
void marker_dispatch_abort(struct list_head *transaction);

/*
 * Forget a site whose module goes; its code does not run any more, but its text still exists. Also
 * works for a site of a waiting transaction.
 */
void marker_dispatch_forget(struct marker_site_state *site);

#endif
