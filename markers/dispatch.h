/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a site calls: the way from its gate to one probe or to several, and
 * how it changes while the site runs.
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

/* When an agreement is asked: none of the gates of @site can be changed. */
bool marker_dispatch_is_blocked(const struct marker_site_state *site);

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
 * Carries the transaction out, or drops what was staged.  Then, if @stats->waits,
 * the caller waits (quiesce.h), and may release marker_mutex meanwhile.  Gates
 * with foreign bytes are left alone; the sites that keep their hooks since a foreign
 * gate or call leads to them show that in the nsites of these.
 * 0, or what marker_text_map(), marker_kprobe_gate_open() or @agreement says, -ENOMEM.
 */
int marker_dispatch_commit(struct list_head *transaction, struct marker_dispatch_stats *stats,
			   struct marker_patch_agreement *agreement);

/* Behind marker_dispatch_commit() and the wait; nothing of what was taken away runs. */
void marker_dispatch_finish(struct list_head *transaction, struct marker_dispatch_stats *stats);

/* Drops what was staged. */
void marker_dispatch_abort(struct list_head *transaction);

/*
 * The site goes away with its module; nothing of it runs any more, but its text
 * is there.  Also if it is of a transaction that waits.
 */
void marker_dispatch_forget(struct marker_site_state *site);

#endif
