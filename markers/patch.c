// SPDX-License-Identifier: GPL-2.0-only
/*
 * One transaction changes many instructions while other CPUs run them.
 *
 *	0  verify the old bytes of all; write what nobody executes yet
 *	1  put int3 over the first byte of each				sync
 *	2  write the bytes behind the first, where they differ		(sync)
 *	3  write the first byte						sync
 *
 * All instructions share the rounds.  Where only one byte of each differs, be
 * it the first or another, the sync of step 2 falls away, since old and new
 * bytes cannot mix into anything else: two rounds for any number of one-byte
 * gates, else three.
 * A CPU that meets an int3 goes on as if the new instruction stood there
 * (patch_trap()).  A store of a single byte without the int3 would do on most
 * CPUs, but several have errata on code modified by another CPU: Intel SDM
 * vol. 3A, 9.1.3 "Handling Self- and Cross-Modifying Code".
 *
 * A kprobe set between steps 0 and 1 is not noticed: nothing that is exported
 * locks kprobes out.
 *
 * Not here: what is written where (gate.c), and how text is reached (text.c).
 *
 * Locks: patch_mutex, inside; one transaction at a time.
 */
#include "patch.h"
#include "text.h"

#define INT3	0xcc

struct transaction {
	const struct patch *patches;
	unsigned int n;
};

static DEFINE_MUTEX(patch_mutex);
static struct transaction *current_transaction;
static struct transaction *last_transaction;	/* kept for emulators only */
static atomic_long_t traps;

/* The live ones first, by address, for patch_trap() to search; then the quiet. */
static int compare(const void *a, const void *b)
{
	const struct patch *x = a, *y = b;

	if (x->quiet || y->quiet)
		return x->quiet - y->quiet;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

NOKPROBE_SYMBOL(compare);

/* Callers usually go through the text in order. */
static void order(struct patch *patches, unsigned int n)
{
	unsigned int i;

	for (i = 1; i < n; i++)
		if (compare(patches + i - 1, patches + i) > 0) {
			sort(patches, n, sizeof(*patches), compare, NULL);
			return;
		}
}

static const struct patch *notrace find(struct transaction **published, u8 *addr)
{
	/* Pairs with (A): the patches of a published transaction are complete. */
	const struct transaction *t = smp_load_acquire(published);
	struct patch key = { .addr = addr };

	return t ? bsearch(&key, t->patches, t->n, sizeof(key), compare) : NULL;
}

NOKPROBE_SYMBOL(find);

enum patch_verdict notrace patch_trap(u8 *addr, u8 **to)
{
	const struct patch *p = find(&current_transaction, addr);

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

NOKPROBE_SYMBOL(patch_trap);

/*
 * An emulator may run into an int3 again and again that is long gone; then to
 * retry is no way out, but the transaction that replaced it knows one.
 */
static void keep(const struct transaction *t)
{
	struct transaction *old = last_transaction, *copy;
	size_t size = t->n * sizeof(*t->patches);

	copy = kvmalloc(sizeof(*copy) + size, GFP_KERNEL);
	if (!copy)
		return;
	copy->n = t->n;
	copy->patches = memcpy(copy + 1, t->patches, size);
	/* (A), as in patch_apply(). */
	smp_store_release(&last_transaction, copy);
	text_sync();
	kvfree(old);
}

void patch_exit(void)
{
	kvfree(last_transaction);
	last_transaction = NULL;
}

static bool has_tail(const struct patch *p)
{
	return !p->quiet && memcmp(p->old + 1, p->new + 1, p->len - 1);
}

/* Whether old and new bytes could mix. */
static bool differs_in_many(const struct patch *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->len; i++)
		n += p->old[i] != p->new[i];
	return !p->quiet && n > 1;
}

/* Before anything is written, so that there is nothing to undo. */
static int verify(const struct patch *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (memcmp(p[i].addr, p[i].old, p[i].len)) {
			text_report(p + i);
			return -EBUSY;
		}
	return 0;
}

static void arm(struct text_alias *alias, const struct patch *p, unsigned int n)
{
	static const u8 int3 = INT3;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!p[i].quiet)
			text_write(alias, p[i].addr, &int3, 1);
}

static void write_quiet(struct text_alias *alias, const struct patch *p,
			unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (p[i].quiet)
			text_write(alias, p[i].addr, p[i].new, p[i].len);
}

static void write_tails(struct text_alias *alias, const struct patch *p,
			unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (has_tail(p + i))
			text_write(alias, p[i].addr + 1, p[i].new + 1, p[i].len - 1);
}

static void write_first(struct text_alias *alias, const struct patch *p,
			unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!p[i].quiet)
			text_write(alias, p[i].addr, p[i].new, 1);
}

/* Both ends: they may lie in two pages, and be remembered under either. */
static void write_ends(struct text_alias *alias, const struct patch *p,
		       unsigned int n)
{
	unsigned int i, last;

	for (i = 0; i < n; i++) {
		if (p[i].quiet)
			continue;
		last = p[i].len - 1;
		text_write(alias, p[i].addr, p[i].new, 1);
		text_write(alias, p[i].addr + last, p[i].new + last, 1);
	}
}

static void sync(struct patch_stats *stats)
{
	stats->cpus = text_sync();
	stats->rounds++;
}

/* The rounds; text and patches are locked. */
static int apply(struct text_alias *alias, const struct patch *p,
		 unsigned int n, struct patch_stats *stats)
{
	bool live = false, many = false, split = false;
	unsigned int i;
	int ret = verify(p, n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		live |= !p[i].quiet;
		many |= differs_in_many(p + i);
		split |= p[i].split;
	}
	/*
	 * A CPU that meets an int3 goes where the new gate leads, so what is
	 * there comes first; its return from the trap serialises it.
	 */
	write_quiet(alias, p, n);
	arm(alias, p, n);
	sync(stats);
	if (split)
		text_quiesce();
	write_tails(alias, p, n);
	if (many)
		sync(stats);
	if (live) {
		/* Tails before first bytes, for who reads them together. */
		smp_wmb();
		write_first(alias, p, n);
		sync(stats);
	}
	if (live && text_settle) {
		write_ends(alias, p, n);
		text_sync();
		stats->settles++;
	}
	return 0;
}

int patch_apply(struct patch *patches, unsigned int n, struct patch_stats *stats)
{
	struct patch_stats local = { };
	struct transaction t = { patches, n };
	struct text_alias alias;
	long traps_before;
	u64 start;
	int ret = 0;

	if (!n)
		goto out;
	order(patches, n);
	mutex_lock(&patch_mutex);
	start = ktime_get_ns();
	ret = text_map(&alias, patches, n);
	if (ret)
		goto unlock;
	traps_before = atomic_long_read(&traps);
	/* (A): the patches before the pointer to them. */
	smp_store_release(&current_transaction, &t);
	ret = apply(&alias, patches, n, &local);
	if (!ret && text_settle)
		keep(&t);
	/* After the last sync no CPU is in patch_trap() for these any more. */
	WRITE_ONCE(current_transaction, NULL);
	text_unmap(&alias);
	local.patches = n;
	local.traps = atomic_long_read(&traps) - traps_before;
	local.ns = ktime_get_ns() - start;
unlock:
	mutex_unlock(&patch_mutex);
out:
	if (stats)
		*stats = local;
	return ret;
}
