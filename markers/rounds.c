// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of x86, where other CPUs must not execute a half-written instruction:
 *
 *	1  publish; put int3 over the first bytes		sync
 *	2  write the bytes behind the first, where they differ		(sync)
 *	3  write the first byte; take the list back			sync
 *
 * All instructions share the rounds.  If only one byte of each differs, the
 * first or another one, step 2 needs no sync, because old and new
 * bytes cannot mix into a third instruction: two rounds for any number of one-byte
 * gates, else three.  NOPs of several instructions have rounds of their own, because the
 * wait that they need unlocks text.
 *
 * A CPU that meets an int3 continues as if the new instruction were there
 * (marker_patch_trap()).  A store of a single byte without the int3 would do on most
 * CPUs, but several have errata on code modified by another CPU: Intel SDM
 * vol. 3A, 9.1.3 "Handling Self- and Cross-Modifying Code".
 *
 * Locks: what patch.c holds, one transaction at a time.
 */
#include "rounds.h"
#include "writer.h"

#define INT3	0xcc

struct transaction {
	const struct marker_patch *patches;	/* live ones, by address */
	unsigned int n;
};

static struct marker_text_alias alias;
static struct transaction *copy;		/* room for the next that is kept */
static struct transaction lists[2];		/* split patches, and others; until end() */
static struct transaction *current_transaction;
static struct transaction *last_transaction;	/* kept for emulators only */
static atomic_long_t traps;

static int compare_addr(const void *a, const void *b)
{
	const struct marker_patch *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

NOKPROBE_SYMBOL(compare_addr);

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
	 * A CPU may have fetched an int3 before it was replaced, and report it only now. The CPU
	 * should have executed the present bytes.
	 */
	p = p ?: find(&last_transaction, addr);
	if (!p)
		return PATCH_RETRY;
	*to = p->to;
	return p->call ? PATCH_CALL : PATCH_JUMP;
}

NOKPROBE_SYMBOL(marker_patch_trap);

static int begin(const struct marker_patch *patches, unsigned int n)
{
	int ret = marker_text_map(&alias, patches, n);

	/* Without it an emulator may be lost, but nothing else is. */
	if (!ret && marker_text_write_twice)
		copy = kvmalloc(sizeof(*copy) + n * sizeof(*patches), GFP_KERNEL);
	return ret;
}

static void quiet(const struct marker_patch *p, unsigned int n, bool alone,
		  struct marker_patch_stats *stats)
{
	marker_writer_write(&alias, p, n);
	if (alone)
		marker_writer_sync(stats);
}

static bool has_tail(const struct marker_patch *p)
{
	return memcmp(p->old + 1, p->new + 1, p->len - 1);
}

/* True if old and new bytes could mix. */
static bool differs_in_many(const struct marker_patch *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->len; i++)
		n += p->old[i] != p->new[i];
	return n > 1;
}

static void arm(const struct marker_patch *p, unsigned int n)
{
	static const u8 int3 = INT3;
	unsigned int i;

	for (i = 0; i < n; i++)
		marker_text_write(&alias, p[i].addr, &int3, 1);
}

static void write_tails(const struct marker_patch *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (has_tail(p + i))
			marker_text_write(&alias, p[i].addr + 1, p[i].new + 1, p[i].len - 1);
}

static void write_first(const struct marker_patch *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		marker_text_write(&alias, p[i].addr, p[i].new, 1);
}

/* Write the first and the last byte: they may lie in two pages, and be remembered under either. */
static void write_ends(const struct marker_patch *p, unsigned int n)
{
	unsigned int i, last;

	for (i = 0; i < n; i++) {
		last = p[i].len - 1;
		marker_text_write(&alias, p[i].addr, p[i].new, 1);
		marker_text_write(&alias, p[i].addr + last, p[i].new + last, 1);
	}
}

static void live(const struct marker_patch *p, unsigned int n, struct marker_patch_stats *stats)
{
	struct transaction *t = &lists[!p->split];
	long before = atomic_long_read(&traps);
	unsigned int i;
	bool many = false;

	*t = (struct transaction){ p, n };
	for (i = 0; i < n; i++)
		many |= differs_in_many(p + i);
	/* (A): the patches before the pointer to them. */
	smp_store_release(&current_transaction, t);
	arm(p, n);
	marker_writer_sync(stats);
	if (p->split)
		marker_text_quiesce();
	write_tails(p, n);
	if (many)
		marker_writer_sync(stats);
	/* Tails before first bytes: pairs with readers that take both together. */
	smp_wmb();
	write_first(p, n);
	if (marker_text_write_twice) {
		marker_text_sync();
		write_ends(p, n);
		stats->settles++;
	}
	/*
	 * First bytes before the pointer: a CPU that still meets an int3 of these and does
	 * not find them sees that it is gone, and executes the address again.  After the
	 * last sync no CPU is in marker_patch_trap() with this list any more, be it for an
	 * int3 of another, such as a debugger's.
	 */
	smp_store_release(&current_transaction, NULL);
	marker_writer_sync(stats);
	stats->traps += atomic_long_read(&traps) - before;
}

/*
 * An emulator may execute an int3 again and again that is long gone.  So the last transaction is
 * kept, which knows where to continue; the one before it, which no CPU can find any more, is freed
 * when text is unlocked.
 */
static void finish(const struct marker_patch *p, unsigned int n)
{
	struct transaction *old = last_transaction;

	if (!copy || !n)
		return;
	copy->n = n;
	copy->patches = memcpy(copy + 1, p, n * sizeof(*p));
	/* The split ones come first in the list. */
	sort(copy + 1, n, sizeof(*p), compare_addr, NULL);
	/* (A), as in live(). */
	smp_store_release(&last_transaction, copy);
	marker_text_sync();
	copy = old;
}

static void end(void)
{
	marker_text_unmap(&alias);
	kvfree(copy);
	copy = NULL;
}

static void leave(void)
{
	kvfree(last_transaction);
	last_transaction = NULL;
}

const struct marker_writer marker_writer = {
	.begin = begin,
	.quiet = quiet,
	.live = live,
	.finish = finish,
	.end = end,
	.exit = leave,
};
