// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency from=NAME key=N[,M]: the time from an event of marker NAME to the next
 * event of the connected marker with the same key, as a histogram of nanoseconds.
 * The key is argument N of both events, or N of NAME's and M of the other; each is a number
 * or the name of a field.
 *
 * Open intervals are in a table of 8192 places, eight in each bucket.  If
 * no place is left, an event is dropped and counted; so is an event whose bucket
 * is locked: in an NMI that came while its CPU held the lock.
 *
 * Locks: the lock of a bucket, with interrupts disabled, for a single access.
 */
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "arg.h"
#include "log2.h"

#define BUCKET_BITS	10
#define PLACES		8
#define TRIES		1000

struct flight {
	u64 key;
	u64 since;		/* 0: the place is free */
};

struct bucket {
	arch_spinlock_t lock;
	struct flight flights[PLACES];
};

/* Results of one CPU. */
struct tally {
	u64 sum;		/* nanoseconds, of all pairs */
	u64 max;
	u64 unpaired;		/* ends without a beginning */
	u64 restarted;		/* beginnings whose key had an open interval */
	u64 dropped;		/* no place, or no bucket */
};

struct latency;

/* Data of the link of sites whose key is argument number @n. */
struct place {
	struct latency *latency;
	unsigned int n;
	bool begins;
};

struct latency {
	char *words;		/* backs from */
	const char *from;
	struct marker_probe_arg from_key;
	struct marker_probe_arg to_key;
	struct marker_log2_hist __percpu *times;
	struct tally __percpu *tallies;
	struct place places[2][MARKER_ARGS_MAX];	/* ends, and beginnings */
	struct bucket buckets[1 << BUCKET_BITS];
};

/*
 * Not a raw_spinlock_t, since lockdep would look at it in any context.  False
 * when it cannot be had in a while.
 */
static bool notrace lock_bucket(struct bucket *bucket)
{
	unsigned int tries;

	for (tries = 0; tries < TRIES; tries++) {
		if (arch_spin_trylock(&bucket->lock))
			return true;
		cpu_relax();
	}
	return false;
}

/* A beginning: takes a place. */
static void notrace begin(struct latency *latency, struct bucket *bucket, u64 key)
{
	struct flight *place = NULL;
	unsigned int i;

	for (i = 0; i < PLACES; i++) {
		struct flight *flight = &bucket->flights[i];

		if (flight->since && flight->key == key) {
			this_cpu_inc(latency->tallies->restarted);
			place = flight;
			break;
		}
		if (!flight->since)
			place = flight;
	}
	if (place)
		*place = (struct flight){ key, ktime_get_mono_fast_ns() };
	else
		this_cpu_inc(latency->tallies->dropped);
}

/* An end: the time since its beginning, which leaves, or 0. */
static u64 notrace end(struct bucket *bucket, u64 key)
{
	u64 time;
	unsigned int i;

	for (i = 0; i < PLACES; i++) {
		struct flight *flight = &bucket->flights[i];

		if (!flight->since || flight->key != key)
			continue;
		time = ktime_get_mono_fast_ns() - flight->since;
		flight->since = 0;
		/* Two CPUs' clocks may be apart; and 0 means something else. */
		return (s64)time > 0 ? time : 1;
	}
	return 0;
}

/* An NMI may come in between, and account for another pair. */
static void notrace account(struct latency *latency, u64 time)
{
	u64 max = this_cpu_read(latency->tallies->max), old;

	if (!time) {
		this_cpu_inc(latency->tallies->unpaired);
		return;
	}
	this_cpu_add(latency->tallies->sum, time);
	for (; time > max; max = old) {
		old = this_cpu_cmpxchg(latency->tallies->max, max, time);
		if (old == max)
			break;
	}
	marker_log2_add(latency->times, time, false);
}

static void notrace pair(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX];
	const struct place *place = link->data;
	struct latency *latency = place->latency;
	bool begins = place->begins;
	unsigned long key, flags;
	struct bucket *bucket;

	marker_words(words, site, a, b, c, d);
	key = words[place->n];
	bucket = &latency->buckets[hash_long(key, BUCKET_BITS)];
	local_irq_save(flags);
	if (!lock_bucket(bucket)) {
		this_cpu_inc(latency->tallies->dropped);
	} else {
		u64 time = 0;

		if (begins)
			begin(latency, bucket, key);
		else
			time = end(bucket, key);
		arch_spin_unlock(&bucket->lock);
		if (!begins)
			account(latency, time);
	}
	local_irq_restore(flags);
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	struct latency *latency = data;
	bool begins = marker_name_is(site->name, latency->from);
	int n = marker_probe_arg_find("latency", site,
				      begins ? &latency->from_key : &latency->to_key, true);

	if (n < 0)
		return n;
	latency->places[begins][n] = (struct place){ latency, n, begins };
	link->data = &latency->places[begins][n];
	return 0;
}

/* key=N[,M] */
static int parse_key(struct latency *latency, char *text)
{
	char *second = strchr(text, ',');

	if (second)
		*second++ = '\0';
	return marker_probe_arg_parse(text, &latency->from_key) ?:
	       marker_probe_arg_parse(second ?: text, &latency->to_key);
}

static int parse(struct latency *latency, char *text)
{
	bool has_key = false;
	char *word;

	while ((word = strsep(&text, " "))) {
		if (!strncmp(word, "from=", 5) && word[5] && !latency->from)
			latency->from = word + 5;
		else if (!strncmp(word, "key=", 4) && !has_key && !parse_key(latency, word + 4))
			has_key = true;
		else if (*word)
			return -EINVAL;
	}
	return latency->from && has_key ? 0 : -EINVAL;
}

static void detach(void *data)
{
	struct latency *latency = data;

	free_percpu(latency->tallies);
	free_percpu(latency->times);
	kvfree(latency->words);
	kvfree(latency);
}

static void *attach(const char *args)
{
	struct latency *latency = kvzalloc(sizeof(*latency), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!latency)
		return ERR_PTR(ret);
	latency->words = marker_text_copy(args ?: "");
	if (!latency->words)
		goto out;
	latency->times = alloc_percpu(struct marker_log2_hist);
	latency->tallies = alloc_percpu(struct tally);
	if (!latency->times || !latency->tallies)
		goto out;
	ret = parse(latency, latency->words);
	if (ret == -EINVAL)
		pr_err("latency wants from=NAME key=N[,M], N and M numbers or names of fields\n");
out:
	if (!ret)
		return latency;
	detach(latency);
	return ERR_PTR(ret);
}

static const char *also(void *data)
{
	struct latency *latency = data;

	return latency->from;
}

static u64 hits(void *data)
{
	struct latency *latency = data;

	return marker_log2_events(latency->times);
}

static void show(void *data, struct marker_probe_rows *rows)
{
	struct latency *latency = data;
	struct tally all = { };
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct tally *one = per_cpu_ptr(latency->tallies, cpu);

		all.sum += one->sum;
		all.max = max(all.max, one->max);
		all.unpaired += one->unpaired;
		all.restarted += one->restarted;
		all.dropped += one->dropped;
	}
	marker_probe_row(rows, "events", hits(data), "-");
	marker_probe_row(rows, "sum_ns", all.sum, "-");
	marker_probe_row(rows, "max_ns", all.max, "-");
	marker_probe_row(rows, "unpaired", all.unpaired, "-");
	marker_probe_row(rows, "restarted", all.restarted, "-");
	marker_probe_row(rows, "dropped", all.dropped, "-");
	marker_log2_show(latency->times, rows);
}

static struct marker_probe probe = {
	.name = "latency",
	.func = pair,
	.leaf = true,
	.attach = attach,
	.detach = detach,
	.bind = bind,
	.hits = hits,
	.show = show,
	.also = also,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "marker probe that measures the time between two markers");
MODULE_VERSION(MARKERS_VERSION);
