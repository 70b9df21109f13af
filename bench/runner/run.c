// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sample is
 *
 *	warm-up, chains, [ fence, TSC, loop, TSC, fence ] ..., chains
 *
 * where a long loop is cut into slices, so that interrupts are never off for
 * long; the ticks between two slices are not counted.  How much of a slice, and
 * of a chain, is not the loop (two reads of the TSC, a call) is the same for every
 * case: fence_ticks in the head, which the analysis subtracts from each.
 */
#include <linux/ctype.h>
#include <linux/seq_file.h>
#include "chain.h"
#include "fence.h"
#include "loop_asm.h"
#include "run.h"
#include "shapes.h"
#include "tables.h"
#include "variants.h"

#define SLICE_LOOPS	500000u		/* under 50 ms even when emulated */
#define WARM_UP_LOOPS	100u

#define SHAPE_ENTRY(shape)	&marker_bench_shape_##shape,
static const struct bench_shape *const shapes[] = {
	BENCH_SHAPES(SHAPE_ENTRY)
};

static u32 tsc_step;

void marker_bench_run_init(const struct fence *fence)
{
	tsc_step = marker_bench_fence_step(fence);
}

/* Interrupts off means preemption off, too. */
static void take_sample(struct bench_sample *sample, const struct fence *fence, bool chains)
{
	void (*const fn)(unsigned long loops) = sample->of->fn;
	u32 left = sample->loops, slice;
	unsigned long flags;

	migrate_disable();
	for (; left; left -= slice) {
		slice = min(left, SLICE_LOOPS);
		local_irq_save(flags);
		fn(min(slice, WARM_UP_LOOPS));
		if (chains && left == sample->loops)
			marker_bench_fence_chains(fence, &sample->adds[BENCH_BEFORE],
						  &sample->imuls[BENCH_BEFORE]);
		if (sample->of->before)
			sample->of->before();
		sample->ticks += fence->time(fn, slice);
		if (chains && left == slice)
			marker_bench_fence_chains(fence, &sample->adds[BENCH_AFTER],
						  &sample->imuls[BENCH_AFTER]);
		local_irq_restore(flags);
		cond_resched();
	}
	migrate_enable();
}

/* xorshift32 (Marsaglia 2003); @state is never 0. */
static u32 next_random(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void shuffle(const struct bench_case **order, unsigned int n, u32 *random)
{
	unsigned int other;

	for (; n > 1; n--) {
		other = next_random(random) % n;
		swap(order[n - 1], order[other]);
	}
}

static u32 scaled_loops(const struct bench_case *c, const struct bench_options *options)
{
	u64 loops = (u64)c->loops[options->state] * options->scale;
	u32 least = min(c->loops[options->state], max(options->least_loops, 1u));

	/* More loops would find what before() did undone: caches that were flushed are full. */
	if (c->before)
		return c->loops[options->state];
	return clamp_t(u64, div_u64(loops, RUN_SCALE_ONE), least, UINT_MAX);
}

/* In how many samples the loops of a round are taken; 0: not at all. */
static u32 parts(const struct bench_case *c, const struct bench_options *options)
{
	if (!c->loops[options->state])
		return 0;
	if (options->shape && strcmp(options->shape, c->shape))
		return 0;
	if (options->only && strcmp(options->only, c->variant) && strcmp("none", c->variant))
		return 0;
	if (options->ready && !options->ready(c))
		return 0;
	if (!options->most_loops)
		return 1;
	return DIV_ROUND_UP(scaled_loops(c, options), options->most_loops);
}

/* A sample with the wrong label is worse than none. */
static int check_sites(enum bench_state state)
{
	const struct marker_site *site;
	unsigned int n = 0, connected = 0;

	for (site = __marker_sites; site < __marker_sites_end; site++, n++)
		connected += !!READ_ONCE(site->link);
	if (connected == (state == BENCH_ENABLED ? n : 0))
		return 0;
	pr_err("%u of the %u sites are connected, which is not \"%s\"\n",
	       connected, n, bench_state_name(state));
	return -EINVAL;
}

/* A run in progress. */
struct run {
	const struct bench_options *options;
	struct bench_samples *samples;
	const struct bench_case **order;	/* cases of a shape and round, in order */
	u32 random;
	unsigned int done, total;
};

static int run_case(struct run *run, const struct bench_case *c)
{
	const struct bench_options *options = run->options;
	struct bench_sample *sample = marker_bench_samples_add(run->samples);

	sample->of = c;
	sample->state = options->state;
	sample->round = run->samples->rounds[options->state];
	sample->loops = scaled_loops(c, options) / parts(c, options);
	take_sample(sample, options->fence, options->chains);
	run->done++;
	return options->progress ? options->progress(run->done, run->total) : 0;
}

/* Run all cases of a shape that have at least @part + 1 parts. */
static int run_part(struct run *run, const struct bench_shape *shape, u32 part, bool *more)
{
	unsigned int i, n = 0;
	int ret = 0;

	for (i = 0; i < shape->ncases; i++)
		if (part < parts(&shape->cases[i], run->options))
			run->order[n++] = &shape->cases[i];
	shuffle(run->order, n, &run->random);
	for (i = 0; i < n && !ret; i++)
		ret = run_case(run, run->order[i]);
	*more = n;
	return ret;
}

static int run_round(struct run *run)
{
	unsigned int shape;
	bool more;
	u32 part;
	int ret;

	for (shape = 0; shape < ARRAY_SIZE(shapes); shape++) {
		part = 0;
		do {
			ret = run_part(run, shapes[shape], part++, &more);
			if (ret)
				return ret;
		} while (more);
	}
	return 0;
}

/* Samples of one round. */
static u64 count_samples(const struct bench_options *options)
{
	unsigned int shape, i;
	u64 n = 0;

	for (shape = 0; shape < ARRAY_SIZE(shapes); shape++)
		for (i = 0; i < shapes[shape]->ncases; i++)
			n += parts(&shapes[shape]->cases[i], options);
	return n;
}

static int run_rounds(struct run *run)
{
	const struct bench_options *options = run->options;
	struct bench_samples *samples = run->samples;
	const struct bench_samples before = *samples;
	u32 round;
	int ret = 0;

	for (round = 0; round < options->rounds && !ret; round++) {
		ret = run_round(run);
		samples->rounds[options->state]++;
	}
	if (ret) {
		samples->n = before.n;
		memcpy(samples->rounds, before.rounds, sizeof(before.rounds));
	}
	return ret;
}

bool marker_bench_run_knows_shape(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shapes[i]->name, name))
			return true;
	return false;
}

int marker_bench_run_cases(const struct bench_options *options, struct bench_samples *samples)
{
	struct run run = { .options = options, .samples = samples };
	u64 n = count_samples(options);
	int ret;

	if (!options->rounds || (options->shape && !marker_bench_run_knows_shape(options->shape))) {
		pr_err("nothing to do: %u rounds of shape \"%s\"\n",
		       options->rounds, options->shape ?: "any");
		return -EINVAL;
	}
	ret = check_sites(options->state);
	if (ret)
		return ret;
	if (!n)
		return 0;
	if (n > SAMPLES_MAX / options->rounds)
		return -ENOSPC;
	run.total = n * options->rounds;
	ret = marker_bench_samples_reserve(samples, run.total);
	if (ret)
		return ret;
	run.order = kcalloc(n, sizeof(*run.order), GFP_KERNEL);
	if (!run.order)
		return -ENOMEM;
	/* Not 0, and another one for every round, also if run one by one. */
	run.random = (options->seed + samples->rounds[options->state]) * 2654435761u | 1;
	ret = run_rounds(&run);
	kfree(run.order);
	return ret;
}

static void print_states(struct seq_file *m, const struct bench_case *c)
{
	unsigned int state;

	for (state = 0; state < BENCH_STATES; state++)
		if (c->loops[state]) {
			seq_printf(m, "%s\t", c->shape);
			marker_bench_samples_print_variant(m, c);
			seq_printf(m, "\t%s\t%u\t%u\n", bench_state_name(state),
				   c->loops[state], c->sites);
		}
}

/* Cases that differ only in layout are counted as one. */
void marker_bench_run_print_cases(struct seq_file *m)
{
	unsigned int shape, i;

	seq_puts(m, "shape\tvariant\tstate\tloops\tsites\n");
	for (shape = 0; shape < ARRAY_SIZE(shapes); shape++)
		for (i = 0; i < shapes[shape]->ncases; i++)
			if (!shapes[shape]->cases[i].layout)
				print_states(m, &shapes[shape]->cases[i]);
}

u32 marker_bench_run_parse_scale(const char *word)
{
	u32 whole = 0, part = 0, unit = RUN_SCALE_ONE;

	for (; isdigit(*word) && whole <= RUN_SCALE_MAX; word++)
		whole = whole * 10 + (*word - '0');
	if (*word == '.')
		for (word++; isdigit(*word) && unit > 1; word++) {
			unit /= 10;
			part += (*word - '0') * unit;
		}
	if (*word || whole > RUN_SCALE_MAX)
		return 0;
	return whole * RUN_SCALE_ONE + part;
}

void marker_bench_run_print_method(struct seq_file *m, const struct bench_options *options)
{
	seq_printf(m, "#tsc_step\t%u\n", tsc_step);
	seq_printf(m, "#tsc_invariant\t%s\n", cpu_has_invariant_tsc() ? "yes" : "no");
	seq_printf(m, "#fence\t%s: %s\n", options->fence->name, options->fence->reads);
	seq_printf(m, "#fence_ticks\t%u\n", marker_bench_fence_ticks(options->fence));
	seq_printf(m, "#slice_loops\t%u\n", SLICE_LOOPS);
	seq_printf(m, "#chain_adds\t%u\n", options->chains ? CHAIN_ADDS : 0);
	seq_printf(m, "#chain_imuls\t%u\n", options->chains ? CHAIN_IMULS : 0);
	seq_printf(m, "#imul_latency\t%u\n", CHAIN_IMUL_LATENCY);
	seq_printf(m, "#compiler\tgcc %d.%d.%d\n", __GNUC__, __GNUC_MINOR__,
		   __GNUC_PATCHLEVEL__);
	seq_printf(m, "#layouts\t%u\n", BENCH_LAYOUTS);
	seq_printf(m, "#memcpy\t%s\n", LOOP_COPY_METHOD);
	seq_printf(m, "#most_loops\t%u\n", options->most_loops);
	seq_printf(m, "#seed\t%u\n", options->seed);
	if (*BENCH_LEFT_OUT)
		seq_puts(m, "#left_out\t" BENCH_LEFT_OUT "\n");
}
