// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gates that the hammer opens and closes, and its two threads.  Uses patch.c and gate.c
 * directly, without registry and connections.
 */
#include "bench_gates.h"
#include "hammer.h"
#include "hammer_across.h"
#include "key.h"
#include "marker_variants.h"

/* Set by the probe of the call gate, which has no other way to be seen. */
static int called;

static void notrace called_probe(MARKER_PARAMS)
{
	WRITE_ONCE(called, 1);
}

#define HAMMER(name, KIND)						\
static noinline notrace int run_##name(void)				\
{									\
	MARKER_SITE(MARKER_KIND(KIND), MARKER_NAME("hammer_" #name),	\
		    __marker_is_hammer, "hammer");				\
	return marker_gate_##name(&__marker_site);			\
}

HAMMER(imm, IMM)
HAMMER(nop5, NOP5)
HAMMER(flip, FLIP)
HAMMER(pun, PUN)
MARKER_BENCH_GATES(HAMMER)

static noinline notrace int run_generic(void)
{
	MARKER_SITE(MARKER_KIND(GENERIC), "hammer_generic", __marker_is_hammer, "hammer");
	return marker_gate_generic(&__marker_site);
}

static noinline notrace int run_key(void)
{
	MARKER_SITE(MARKER_KEY_KIND, "hammer_key", __marker_is_hammer, "hammer");
	MARKER_KEY_DEFINE(key);

	if (!marker_gate_key(key, &__marker_site))
		return 0;
	MARKER_KEY_RECORD(key, &__marker_site);
	return 1;
}

static noinline notrace int run_call(void)
{
	MARKER_SITE(MARKER_KIND(CALL), "hammer_call", __marker_is_hammer, "hammer");
	WRITE_ONCE(called, 0);
	marker_call_nop(&__marker_site);
	return READ_ONCE(called);
}

#define HAMMER_ACROSS(name, KIND, where, size)				\
static noinline notrace int run_##name##_##where(void)			\
{									\
	MARKER_SITE(MARKER_KIND(KIND), MARKER_NAME("hammer_" #name "_" #where),	\
		    __marker_is_hammer, "hammer");				\
	HAMMER_PLACE(size);						\
	return marker_gate_##name(&__marker_site);			\
}

HAMMERS_ACROSS(HAMMER_ACROSS)

#define ENTRY(name, KIND)						\
	{ .kind = #name, .site = "hammer_" #name, .place = "in a line", .run = run_##name },
#define ENTRY_ACROSS(name, KIND, where, size)				\
	{ .kind = #name, .site = "hammer_" #name "_" #where, .across = size, \
	  .place = "across a " #where, .run = run_##name##_##where },

struct marker_hammer marker_hammers[] = {
	MARKER_VARIANTS(ENTRY)
	MARKER_BENCH_GATES(ENTRY)
	ENTRY(call, CALL)
	HAMMERS_ACROSS(ENTRY_ACROSS)
};

const unsigned int marker_nhammers = ARRAY_SIZE(marker_hammers);

#define RUNS_A_PASS 4096

int marker_hammer_init(void)
{
	struct marker *marker;
	struct marker_hammer *h;
	struct marker_site_state *site;

	for (h = marker_hammers; h < marker_hammers + marker_nhammers; h++) {
		marker = marker_registry_next_marker(h->site, NULL);
		if (!marker)
			return -ENOENT;
		site = list_first_entry(&marker->sites, struct marker_site_state, peers);
		h->entry = site->entry;
		h->gate = site->ngates ? site->gates : &h->flag;
		h->gate->to = marker_gate_kind_is_call(h->gate->kind) ?
			      (u8 *)called_probe : NULL;
		if (h->across && (unsigned long)h->gate->code % h->across <= h->across - 5)
			return -ENOENT;
	}
	return 0;
}

void marker_hammer_pass(struct marker_hammer *h)
{
	unsigned int i;

	for (i = 0; i < RUNS_A_PASS; i++) {
		/* Pairs with (A): the phase before the run. */
		unsigned long phase = smp_load_acquire(&h->phase);
		int open = h->run();

		/* The run before the second look at the phase. */
		smp_rmb();
		if (phase & 1 || READ_ONCE(h->phase) != phase)
			continue;
		WRITE_ONCE(h->runs, h->runs + 1);
		h->wrong += open != (int)(phase >> 1 & 1);
	}
}

/* Until the gate has been run as it stands now, or for 100 us. */
static void let_run(const struct marker_hammer *h)
{
	u64 end = ktime_get_ns() + 100000;
	unsigned long runs = READ_ONCE(h->runs);

	while (READ_ONCE(h->runs) == runs && ktime_get_ns() < end)
		cond_resched();
}

static int change(struct marker_hammer *h, bool open, struct marker_patch_stats *sum)
{
	struct marker_gate_state *gate = h->gate;
	struct marker_patch p = { .addr = gate->code, .gate = gate };
	struct marker_patch_stats stats;
	unsigned long phase = h->phase;
	int ret;

	p.len = marker_gate_encode(gate, gate->open, p.old);
	marker_gate_encode(gate, open, p.new);
	p.to = marker_gate_next(gate, open);
	p.call = open && marker_gate_kind_is_call(gate->kind);
	p.split = !gate->open && marker_gate_is_split(gate);
	WRITE_ONCE(h->phase, phase | 1);
	/* The phase is odd before anything is changed. */
	smp_mb();
	ret = marker_patch_apply(&p, p.len ? 1 : 0, &stats);
	if (ret)
		return ret;
	if (gate->kind == MARKER_GATE_KEY)
		marker_key_set(gate->code, open);
	else if (gate->kind == MARKER_GATE_GENERIC)
		WRITE_ONCE(h->entry->on, open);
	gate->open = open;
	/* (A): the change is over before the phase is even. */
	smp_store_release(&h->phase, (phase & ~3ul) + 4 + 2 * open);
	sum->traps += stats.traps;
	sum->rounds += stats.rounds;
	sum->ns += stats.ns;
	return 0;
}

int marker_hammer_toggle(struct marker_hammer *h, unsigned long toggles,
			 struct marker_patch_stats *sum)
{
	unsigned long i;
	int ret = 0;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < toggles && !ret; i++) {
		ret = change(h, !h->gate->open, sum);
		let_run(h);
	}
	if (!ret && h->gate->open)
		ret = change(h, false, sum);
	return ret;
}
