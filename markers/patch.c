// SPDX-License-Identifier: GPL-2.0-only
/*
 * One transaction changes many instructions while other CPUs run them.
 *
 *	0  lock; verify the old bytes of all; write what no CPU executes yet
 *	1  publish; put int3 over the first byte of each		sync
 *	2  write the bytes behind the first, where they differ		(sync)
 *	3  write the first byte; take the list back			sync
 *	4  unlock; free the list
 *
 * All instructions share the rounds.  Where only one byte of each differs, be
 * it the first or another, the sync of step 2 falls away, since old and new
 * bytes cannot mix into anything else: two rounds for any number of one-byte
 * gates, else three.  NOPs of several instructions go before the others, in
 * rounds of their own, since the wait that they need unlocks text.
 *
 * A CPU that meets an int3 continues as if the new instruction were there
 * (marker_patch_trap()).  A store of a single byte without the int3 would do on most
 * CPUs, but several have errata on code modified by another CPU: Intel SDM
 * vol. 3A, 9.1.3 "Handling Self- and Cross-Modifying Code".
 *
 * On an architecture where one store may replace an instruction that other CPUs execute
 * (one_store in gate.h) there is no breakpoint: all are written, and one sync.
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

#define INT3	0xcc

struct transaction {
	const struct marker_patch *patches;	/* live ones, by address */
	unsigned int n;
};

static DEFINE_MUTEX(patch_mutex);
static struct transaction *current_transaction;
static struct transaction *last_transaction;	/* kept for emulators only */
static atomic_long_t traps;

static int compare_addr(const void *a, const void *b)
{
	const struct marker_patch *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

NOKPROBE_SYMBOL(compare_addr);

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
	int difference = (int)rank(a) - (int)rank(b);

	return difference ?: compare_addr(a, b);
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

static const struct marker_patch *notrace find(struct transaction **published, u8 *addr)
{
	/* Pairs with (A): the patches of a published transaction are complete. */
	const struct transaction *t = smp_load_acquire(published);
	struct marker_patch key = { .addr = addr };

	return t ? bsearch(&key, t->patches, t->n, sizeof(key), compare_addr) : NULL;
}

NOKPROBE_SYMBOL(find);

enum marker_patch_verdict notrace marker_patch_trap(u8 *addr, u8 **to)
{
	const struct marker_patch *p = find(&current_transaction, addr);

	if (p)
		atomic_long_inc(&traps);
	else if (READ_ONCE(*addr) == INT3)
		return PATCH_NOT_OURS;
	/*
	 * A CPU may have fetched an int3 before it was replaced and report it
	 * only now.  What stands there now is what it should have executed.
	 */
	p = p ?: find(&last_transaction, addr);
	if (!p)
		return PATCH_RETRY;
	*to = p->to;
	return p->call ? PATCH_CALL : PATCH_JUMP;
}

NOKPROBE_SYMBOL(marker_patch_trap);

/*
 * An emulator may run into an int3 again and again that is long gone; then to
 * retry is no way out, but the transaction that replaced it knows one.  Returns
 * the one before, which no CPU can find any more.
 */
static struct transaction *keep(struct transaction *copy, const struct marker_patch *patches,
				unsigned int n)
{
	struct transaction *old = last_transaction;

	copy->n = n;
	copy->patches = memcpy(copy + 1, patches, n * sizeof(*patches));
	/* The split ones come first in the list. */
	sort(copy + 1, n, sizeof(*patches), compare_addr, NULL);
	/* (A), as in run(). */
	smp_store_release(&last_transaction, copy);
	marker_text_sync();
	return old;
}

void marker_patch_exit(void)
{
	kvfree(last_transaction);
	last_transaction = NULL;
}

static bool has_tail(const struct marker_patch *p)
{
	return memcmp(p->old + 1, p->new + 1, p->len - 1);
}

/* Whether old and new bytes could mix. */
static bool differs_in_many(const struct marker_patch *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->len; i++)
		n += p->old[i] != p->new[i];
	return n > 1;
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

static void arm(struct marker_text_alias *alias, const struct marker_patch *p, unsigned int n)
{
	static const u8 int3 = INT3;
	unsigned int i;

	for (i = 0; i < n; i++)
		marker_text_write(alias, p[i].addr, &int3, 1);
}

static void write_whole(struct marker_text_alias *alias, const struct marker_patch *p,
			unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		marker_text_write(alias, p[i].addr, p[i].new, p[i].len);
}

static void write_tails(struct marker_text_alias *alias, const struct marker_patch *p,
			unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (has_tail(p + i))
			marker_text_write(alias, p[i].addr + 1, p[i].new + 1, p[i].len - 1);
}

static void write_first(struct marker_text_alias *alias, const struct marker_patch *p,
			unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		marker_text_write(alias, p[i].addr, p[i].new, 1);
}

/* Both ends: they may lie in two pages, and be remembered under either. */
static void write_ends(struct marker_text_alias *alias, const struct marker_patch *p,
		       unsigned int n)
{
	unsigned int i, last;

	for (i = 0; i < n; i++) {
		last = p[i].len - 1;
		marker_text_write(alias, p[i].addr, p[i].new, 1);
		marker_text_write(alias, p[i].addr + last, p[i].new + last, 1);
	}
}

static void sync(struct marker_patch_stats *stats)
{
	stats->cpus = marker_text_sync();
	stats->rounds++;
}

/* The rounds for live instructions of one rank.  @t stays until marker_text_unmap(). */
static void run(struct marker_text_alias *alias, struct transaction *t, bool split,
		struct marker_patch_stats *stats)
{
	const struct marker_patch *p = t->patches;
	unsigned int i, n = t->n;
	bool many = false;

	if (!n)
		return;
	for (i = 0; i < n; i++)
		many |= differs_in_many(p + i);
	/* (A): the patches before the pointer to them. */
	smp_store_release(&current_transaction, t);
	arm(alias, p, n);
	sync(stats);
	if (split)
		marker_text_quiesce();
	write_tails(alias, p, n);
	if (many)
		sync(stats);
	/* Tails before first bytes: pairs with readers that take both together. */
	smp_wmb();
	write_first(alias, p, n);
	if (marker_text_write_twice) {
		marker_text_sync();
		write_ends(alias, p, n);
		stats->settles++;
	}
	/*
	 * First bytes before the pointer: a CPU that still meets an int3 of these and does
	 * not find them sees that it is gone, and executes the address again.  After the
	 * last sync no CPU is in marker_patch_trap() with this list any more, be it for an
	 * int3 of another, such as a debugger's.
	 */
	smp_store_release(&current_transaction, NULL);
	sync(stats);
}

/*
 * The same where a CPU executes the old or the new instruction, whichever it fetches: a
 * gate that is open to it may still lead to the old call.  The sync ends that.
 */
static void replace(struct marker_text_alias *alias, const struct marker_patch *p,
		    unsigned int n, struct marker_patch_stats *stats)
{
	if (!n)
		return;
	write_whole(alias, p, n);
	sync(stats);
	if (marker_text_write_twice) {
		write_whole(alias, p, n);
		marker_text_sync();
		stats->settles++;
	}
}

/* All ranks; text is mapped and locked. */
static void apply(struct marker_text_alias *alias, struct marker_patch *p, unsigned int n,
		  struct transaction t[2], struct marker_patch_stats *stats)
{
	unsigned int split = count(p, n, SPLIT), quiet = count(p, n, QUIET);
	struct marker_patch *rest = p + split;

	t[0] = (struct transaction){ p, split };
	t[1] = (struct transaction){ rest, count(p, n, LIVE) };
	/*
	 * A CPU that meets an int3 goes where the new gate leads, so what is
	 * there comes first; its return from the trap serialises it.
	 */
	write_whole(alias, rest + t[1].n, quiet);
	if (split) {
		run(alias, &t[0], true, stats);
		verify(rest, t[1].n);
		t[1].n = count(rest, t[1].n, LIVE);
	}
	if (marker_gate_arch.one_store)
		replace(alias, rest, t[1].n, stats);
	else
		run(alias, &t[1], false, stats);
	if (!stats->rounds && quiet)
		sync(stats);
	stats->patches = t[0].n + t[1].n + quiet;
}

/* The whole of it, text being mapped; the list of all patches is freed after that. */
static void change(struct marker_text_alias *alias, struct marker_patch *p, unsigned int n,
		   struct marker_patch_agreement *agreement, struct transaction *copy,
		   struct marker_patch_stats *stats)
{
	struct transaction t[2] = { };

	marker_text_lock();
	verify(p, n);
	if (agreement)
		agreement->ret = agreement->agree(agreement);
	if (agreement && agreement->ret)
		refuse(p, n, true);
	else
		apply(alias, p, n, t, stats);
	/* No CPU starts up to here: one that did could be in marker_patch_trap() still. */
	if (copy && t[0].n + t[1].n)
		copy = keep(copy, p, t[0].n + t[1].n);
	marker_text_unlock();
	marker_text_unmap(alias);
	kvfree(copy);
}

int marker_patch_apply_if(struct marker_patch *patches, unsigned int n,
			  struct marker_patch_stats *stats,
			  struct marker_patch_agreement *agreement)
{
	struct marker_patch_stats local = { };
	struct transaction *copy = NULL;
	struct marker_text_alias alias;
	long traps_before;
	unsigned int i;
	u64 start;
	int ret = 0;

	if (!n)
		goto out;
	mutex_lock(&patch_mutex);
	order(patches, n);
	start = ktime_get_ns();
	ret = marker_text_map(&alias, patches, n);
	if (ret) {
		refuse(patches, n, true);
		goto unlock;
	}
	traps_before = atomic_long_read(&traps);
	/* Without it an emulator may be lost, but nothing else is. */
	if (marker_text_write_twice && !marker_gate_arch.one_store)
		copy = kvmalloc(sizeof(*copy) + n * sizeof(*patches), GFP_KERNEL);
	change(&alias, patches, n, agreement, copy, &local);
	local.traps = atomic_long_read(&traps) - traps_before;
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
