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
 * Changes what @site will have after the transaction, which it joins: one hook
 * more, or without those that @leaves() picks.  -ENOMEM, -ENOSPC past MARKER_HOOKS_MAX.
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

/* Of a transaction that changed text or flags. */
struct marker_dispatch_stats {
	struct marker_patch_stats patch;	/* opening and closing */
	struct marker_patch_stats tidy;	/* calls, after the wait */
	unsigned int sites;
	bool waits;			/* probes may run that were taken away */
	u64 wait_ns;			/* for probes to return */
};

/* The last one that was finished. */
extern struct marker_dispatch_stats marker_dispatch_last;

/*
 * A transaction is carried out in these steps, by transaction.c:
 *
 *	marker_dispatch_verify()	what can be changed?
 *	the caller decides
 *	marker_dispatch_apply()		or marker_dispatch_cancel()
 *	the caller waits, if @stats->waits (quiesce.h); it may release marker_mutex meanwhile
 *	marker_dispatch_finish()
 */

/**
 * marker_dispatch_verify - prepare the changes, lock text and verify all bytes
 * @transaction: sites that change
 * @changes: receives the patches
 * @stats: receives what the transaction costs
 *
 * Context: May sleep.  Locks: marker_mutex.
 * Return: 0, with text locked until marker_dispatch_apply() or marker_dispatch_cancel().
 *	   -ENOMEM, or the errors of marker_text_map() and marker_kprobe_gate_open(); then
 *	   what was staged is dropped.
 */
int marker_dispatch_verify(struct list_head *transaction, struct marker_changes *changes,
			   struct marker_dispatch_stats *stats);

/*
 * Carry out what was verified.  Gates with foreign bytes are left alone; the sites that keep
 * their hooks because a foreign gate or call leads to the hooks show that in the hooks' nsites.
 */
void marker_dispatch_apply(struct list_head *transaction, struct marker_changes *changes,
			   struct marker_dispatch_stats *stats);

/* Change nothing, and drop what was staged. */
void marker_dispatch_cancel(struct list_head *transaction, struct marker_changes *changes);

/* After the wait: nothing of what was taken away runs any more. */
void marker_dispatch_finish(struct list_head *transaction, struct marker_dispatch_stats *stats);

/* Drop what was staged, of a transaction that was not verified. */
void marker_dispatch_abort(struct list_head *transaction);

/*
 * The site goes away with its module; nothing of it runs any more, but its text
 * is there.  Also if it is of a transaction that waits.
 */
void marker_dispatch_forget(struct marker_site_state *site);

#endif
