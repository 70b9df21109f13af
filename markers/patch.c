// SPDX-License-Identifier: GPL-2.0-only
/*
 * One transaction changes many instructions while other CPUs run them.
 *
 *	lock; verify the old bytes of all
 *	write what no CPU executes yet, then the others
 *	unlock; free the list
 *
 * NOPs of several instructions go before the others, since the wait that they need
 * unlocks text.  How an instruction is replaced that CPUs may be executing is up to the
 * writer (writer.h).
 *
 * What has neither its old nor its new bytes is left alone, and what cannot do
 * without it (struct marker_patch_group).
 *
 * Not here: what is written where (gate.c), and how text is reached (text.c).
 *
 * Locks: patch_mutex, one transaction at a time; inside, those of marker_text_lock().
 */
#include "patch.h"
#include "text.h"
#include "writer.h"

static DEFINE_MUTEX(patch_mutex);

void marker_patch_exit(void)
{
	marker_writer.exit();
}

/* The order of the list, and in each rank that of the text. */
enum rank { SPLIT, LIVE, QUIET, LEFT };

static enum rank rank(const struct marker_patch *p)
{
	if (p->found != PATCH_OLD)
		return LEFT;
	if (p->quiet)
		return QUIET;
	return p->split ? SPLIT : LIVE;
}

static int compare(const void *a, const void *b)
{
	const struct marker_patch *x = a, *y = b;
	int difference = (int)rank(x) - (int)rank(y);

	return difference ?: (x->addr < y->addr ? -1 : x->addr > y->addr);
}

/* Callers usually go through the text in order. */
static void order(struct marker_patch *patches, unsigned int n)
{
	unsigned int i;

	for (i = 1; i < n; i++)
		if (compare(patches + i - 1, patches + i) > 0) {
			sort(patches, n, sizeof(*patches), compare, NULL);
			return;
		}
}

static void look(struct marker_patch *p)
{
	struct marker_patch_group *group = p->group;

	if (!memcmp(p->addr, p->new, p->len)) {
		p->found = PATCH_NEW;
	} else if (!memcmp(p->addr, p->old, p->len)) {
		p->found = PATCH_OLD;
	} else {
		p->found = PATCH_FOREIGN;
		if (!p->known)
			marker_text_report(p);
	}
	if (!group)
		return;
	if (p->vital)
		group->refused |= p->found == PATCH_FOREIGN;
	else if (p->found == PATCH_FOREIGN)
		group->foreign++;
	else
		group->done++;
}

/* What is not written if its group, or if @all of the transaction is refused. */
static void refuse(struct marker_patch *p, unsigned int n, bool all)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (p[i].found == PATCH_OLD && (all || (p[i].group && p[i].group->refused)))
			p[i].found = PATCH_REFUSED;
}

/* Before anything is written, so that there is nothing to undo. */
static void verify(struct marker_patch *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		look(p + i);
	refuse(p, n, false);
	order(p, n);
}

static unsigned int count(const struct marker_patch *p, unsigned int n, enum rank wanted)
{
	unsigned int i, found = 0;

	for (i = 0; i < n; i++)
		found += rank(p + i) == wanted;
	return found;
}

/* All ranks; text is locked. */
static void apply(struct marker_patch *p, unsigned int n, struct marker_patch_stats *stats)
{
	unsigned int split = count(p, n, SPLIT), live = count(p, n, LIVE);
	unsigned int quiet = count(p, n, QUIET);
	struct marker_patch *rest = p + split;

	/* A CPU may go where a new gate leads before all are written, so this comes first. */
	marker_writer.quiet(rest + live, quiet, quiet && !split && !live, stats);
	if (split) {
		marker_writer.live(p, split, stats);
		verify(rest, live);
		live = count(rest, live, LIVE);
	}
	if (live)
		marker_writer.live(rest, live, stats);
	stats->patches = split + live + quiet;
	marker_writer.finish(p, split + live);
}

/* The whole of it; the list of all patches is freed after that. */
static void change(struct marker_patch *p, unsigned int n,
		   struct marker_patch_agreement *agreement, struct marker_patch_stats *stats)
{
	marker_text_lock();
	verify(p, n);
	if (agreement)
		agreement->ret = agreement->agree(agreement);
	if (agreement && agreement->ret)
		refuse(p, n, true);
	else
		apply(p, n, stats);
	/* No CPU starts up to here: one that did could be in a breakpoint handler still. */
	marker_text_unlock();
	marker_writer.end();
}

int marker_patch_apply_if(struct marker_patch *patches, unsigned int n,
			  struct marker_patch_stats *stats,
			  struct marker_patch_agreement *agreement)
{
	struct marker_patch_stats local = { };
	unsigned int i;
	u64 start;
	int ret = 0;

	if (!n)
		goto out;
	mutex_lock(&patch_mutex);
	order(patches, n);
	start = ktime_get_ns();
	ret = marker_writer.begin(patches, n);
	if (ret) {
		refuse(patches, n, true);
		goto unlock;
	}
	change(patches, n, agreement, &local);
	local.ns = ktime_get_ns() - start;
	ret = agreement ? agreement->ret : 0;
	for (i = 0; i < n && !ret; i++)
		ret = marker_patch_is_done(patches + i) ? 0 : -EBUSY;
unlock:
	mutex_unlock(&patch_mutex);
out:
	if (stats)
		*stats = local;
	return ret;
}

int marker_patch_apply(struct marker_patch *patches, unsigned int n,
		       struct marker_patch_stats *stats)
{
	return marker_patch_apply_if(patches, n, stats, NULL);
}
