// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack: who comes by, by call stack; each stack once, with a count.
 *
 * A table of 1024 places, found by a hash of 64 bits, which stands for the
 * stack: two stacks of one hash count as one.  A stack that finds no place is
 * counted as dropped.
 *
 * Locks: none; a place is taken by writing its hash, and is never given back.
 */
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include "marker_probe.h"

#define DEPTH	32		/* innermost frames that are kept */
#define PLACES	1024
#define TRIES	16
#define LINE	4096		/* bytes of a stack that is shown */

struct stack {
	atomic64_t hash;		/* 0: the place is free */
	atomic64_t count;
	unsigned int nframes;		/* 0: not written yet */
	unsigned long frames[DEPTH];	/* innermost first */
};

struct stacks {
	atomic64_t dropped;
	struct stack places[PLACES];
};

static u64 notrace hash_frames(const unsigned long *frames, unsigned int n)
{
	unsigned int words = n * sizeof(*frames) / sizeof(u32);
	u64 hash = (u64)jhash2((const u32 *)frames, words, 1) << 32 |
		   jhash2((const u32 *)frames, words, 2);

	return hash ?: 1;
}

static void notrace save(MARKER_PARAMS)
{
	struct stacks *stacks = link->data;
	unsigned long frames[DEPTH];
	unsigned int i, n = stack_trace_save(frames, DEPTH, 1);
	u64 hash = hash_frames(frames, n), old;

	for (i = 0; i < TRIES; i++) {
		struct stack *stack = &stacks->places[(hash + i) % PLACES];

		old = atomic64_read(&stack->hash);
		if (!old) {
			old = atomic64_cmpxchg(&stack->hash, 0, hash);
			if (!old) {
				memcpy(stack->frames, frames, n * sizeof(*frames));
				smp_store_release(&stack->nframes, n);	/* A: to show_stack() */
				old = hash;
			}
		}
		if (old == hash) {
			atomic64_inc(&stack->count);
			return;
		}
	}
	atomic64_inc(&stacks->dropped);
}

static void *attach(const char *args)
{
	if (args)
		return ERR_PTR(-EINVAL);
	return kvzalloc(sizeof(struct stacks), GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	kvfree(data);
}

static u64 hits(void *data)
{
	struct stacks *stacks = data;
	u64 sum = atomic64_read(&stacks->dropped);
	unsigned int i;

	for (i = 0; i < PLACES; i++)
		sum += atomic64_read(&stacks->places[i].count);
	return sum;
}

/*
 * Show a stack with the outermost function first, as flame graph tools read it, and without the
 * functions of markers.ko.
 */
static void show_stack(struct stack *stack, char *line, struct marker_probe_rows *rows)
{
	unsigned int i, n = smp_load_acquire(&stack->nframes);	/* A: from save() */
	size_t len = 0, before;

	if (!n)
		return;
	line[0] = '\0';
	for (i = n; i > 0; i--) {
		before = len;
		len += scnprintf(line + len, LINE - len, "%s%ps", len ? ";" : "",
				 (void *)stack->frames[i - 1]);
		if (strstr(line + before, "[markers]"))
			len = before;
	}
	line[len] = '\0';
	marker_probe_row(rows, "stack", atomic64_read(&stack->count), "%s", line);
}

static void show(void *data, struct marker_probe_rows *rows)
{
	struct stacks *stacks = data;
	char *line = kmalloc(LINE, GFP_KERNEL);
	unsigned int i;

	if (!line)
		return;
	marker_probe_row(rows, "events", hits(data), "-");
	marker_probe_row(rows, "dropped", atomic64_read(&stacks->dropped), "-");
	for (i = 0; i < PLACES; i++)
		show_stack(&stacks->places[i], line, rows);
	kfree(line);
}

static struct marker_probe probe = {
	.name = "stack",
	.func = save,
	.leaf = true,
	.attach = attach,
	.detach = detach,
	.hits = hits,
	.show = show,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "marker probe that counts call stacks");
MODULE_VERSION(MARKERS_VERSION);
