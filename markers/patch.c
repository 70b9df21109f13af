// SPDX-License-Identifier: GPL-2.0-only
/*
 * One transaction changes many instructions while other CPUs run them.
 *
 *	begin	lock text; verify the old bytes of all
 *	commit	write the instructions that no CPU executes yet, then the others; unlock
 *	cancel	unlock
 *
 * NOPs of several instructions are written before the others, because the wait that these
 * need unlocks text.  The writer (writer.h) replaces instructions that CPUs may be
 * executing.
 *
 * An instruction that has neither its old nor its new bytes is left alone, and so is every
 * instruction that cannot be changed without it (struct marker_patch_group).
 *
 * Not here: the bytes of gates (gate.c), and the access to text (text.c).
 *
 * Locks: patch_mutex, one transaction at a time; inside, the locks of marker_text_lock().
 */
#include "patch.h"
#include "text.h"
#include "writer.h"

static DEFINE_MUTEX(patch_mutex);
static u64 patch_start_ns;		/* start of the transaction that holds patch_mutex */

void marker_patch_exit(void)
{
	marker_writer.exit();
}

/* Order of the list; the writer finds a split or live one by its address. */
enum patch_rank { SPLIT, LIVE, QUIET, LEFT };

static enum patch_rank patch_rank(const struct marker_patch *p)
{
	if (p->found != PATCH_OLD)
		return LEFT;
	if (p->quiet)
		return QUIET;
	return p->split ? SPLIT : LIVE;
}

static int patch_compare(const void *a, const void *b)
{
	const struct marker_patch *x = a, *y = b;
	enum patch_rank rank = patch_rank(x);
	int difference = (int)rank - (int)patch_rank(y);

	if (difference || rank >= QUIET)
		return difference;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Sort only when needed: callers usually go through the gates in the order of the text. */
static void patch_sort(struct marker_patch *patches, unsigned int n)
{
	unsigned int i;

	for (i = 1; i < n; i++)
		if (patch_compare(patches + i - 1, patches + i) > 0) {
			sort(patches, n, sizeof(*patches), patch_compare, NULL);
			return;
		}
}

static void patch_look(struct marker_patch *p)
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

/* Refuse the patches of refused groups, or @all of the transaction. */
static void patch_refuse(struct marker_patch *p, unsigned int n, bool all)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (p[i].found == PATCH_OLD && (all || (p[i].group && p[i].group->refused)))
			p[i].found = PATCH_REFUSED;
}

/* Before anything is written, so that nothing is to be undone; again after the split ones. */
static void patch_verify(struct marker_patch *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		patch_look(p + i);
	patch_refuse(p, n, false);
	patch_sort(p, n);
}

static unsigned int patch_count(const struct marker_patch *p, unsigned int n,
				enum patch_rank wanted)
{
	unsigned int i, found = 0;

	for (i = 0; i < n; i++)
		found += patch_rank(p + i) == wanted;
	return found;
}

/* Write all ranks.  Locks: marker_text_lock(). */
static void patch_write(struct marker_patch *p, unsigned int n, struct marker_patch_stats *stats)
{
	unsigned int split = patch_count(p, n, SPLIT), live = patch_count(p, n, LIVE);
	unsigned int quiet = patch_count(p, n, QUIET);
	struct marker_patch *rest = p + split;

	/* A CPU may go where a new gate leads before all are written, so this comes first. */
	marker_writer.quiet(rest + live, quiet, quiet && !split && !live, stats);
	if (split) {
		marker_writer.live(p, split, stats);
		patch_verify(rest, live);
		live = patch_count(rest, live, LIVE);
	}
	if (live)
		marker_writer.live(rest, live, stats);
	stats->patches = split + live + quiet;
	marker_writer.finish(p, split + live);
}

int marker_patch_begin(struct marker_patch *patches, unsigned int n)
{
	int ret;

	if (!n)
		return 0;
	mutex_lock(&patch_mutex);
	patch_start_ns = ktime_get_ns();
	patch_sort(patches, n);
	ret = marker_writer.begin(patches, n);
	if (ret) {
		patch_refuse(patches, n, true);
		mutex_unlock(&patch_mutex);
		return ret;
	}
	marker_text_lock();
	patch_verify(patches, n);
	return 0;
}

/* No CPU starts up to here: a CPU that did could still be in the breakpoint handler. */
static void patch_end(void)
{
	marker_text_unlock();
	marker_writer.end();
	mutex_unlock(&patch_mutex);
}

void marker_patch_cancel(struct marker_patch *patches, unsigned int n)
{
	if (!n)
		return;
	patch_refuse(patches, n, true);
	patch_end();
}

int marker_patch_commit(struct marker_patch *patches, unsigned int n,
			struct marker_patch_stats *stats)
{
	struct marker_patch_stats local = { };
	unsigned int i;
	int ret = 0;
	u64 start;

	if (n) {
		start = patch_start_ns;
		patch_write(patches, n, &local);
		patch_end();
		local.ns = ktime_get_ns() - start;
	}
	for (i = 0; i < n && !ret; i++)
		ret = marker_patch_is_done(patches + i) ? 0 : -EBUSY;
	if (stats)
		*stats = local;
	return ret;
}

int marker_patch_apply(struct marker_patch *patches, unsigned int n,
		       struct marker_patch_stats *stats)
{
	int ret = marker_patch_begin(patches, n);

	if (ret && stats)
		*stats = (struct marker_patch_stats){ };
	return ret ?: marker_patch_commit(patches, n, stats);
}
