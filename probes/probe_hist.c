// SPDX-License-Identifier: GPL-2.0-only
/* hist arg=N|FIELD: a histogram of an argument, an integer, by powers of two. */
#include <linux/slab.h>
#include "arg.h"
#include "log2.h"

/* Data of the link of sites whose argument number @n is counted. */
struct place {
	struct marker_log2_hist __percpu *counts;
	unsigned int n;
};

struct hist {
	struct marker_probe_arg arg;
	struct marker_log2_hist __percpu *counts;
	struct place places[MARKER_ARGS_MAX];
};

static void notrace add(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX];
	const struct place *place = link->data;

	marker_words(words, site, a, b, c, d);
	marker_log2_add(place->counts, words[place->n], marker_probe_arg_is_signed(site, place->n));
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	struct hist *hist = data;
	int n = marker_probe_arg_find("hist", site, &hist->arg, false);

	if (n < 0)
		return n;
	hist->places[n] = (struct place){ hist->counts, n };
	link->data = &hist->places[n];
	return 0;
}

static void *attach(const char *args)
{
	struct hist *hist;
	struct marker_probe_arg arg;

	if (!args || strncmp(args, "arg=", 4) || marker_probe_arg_parse(args + 4, &arg)) {
		pr_err("hist wants arg=N or arg=FIELD\n");
		return ERR_PTR(-EINVAL);
	}
	hist = kzalloc(sizeof(*hist), GFP_KERNEL);
	if (!hist)
		return ERR_PTR(-ENOMEM);
	hist->arg = arg;
	hist->counts = alloc_percpu(struct marker_log2_hist);
	if (hist->counts)
		return hist;
	kfree(hist);
	return ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	struct hist *hist = data;

	free_percpu(hist->counts);
	kfree(hist);
}

static u64 hits(void *data)
{
	struct hist *hist = data;

	return marker_log2_events(hist->counts);
}

static void show(void *data, struct marker_probe_rows *rows)
{
	struct hist *hist = data;

	marker_probe_row(rows, "events", hits(data), "-");
	marker_log2_show(hist->counts, rows);
}

static struct marker_probe probe = {
	.name = "hist",
	.func = add,
	.leaf = true,
	.attach = attach,
	.detach = detach,
	.bind = bind,
	.hits = hits,
	.show = show,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "marker probe that makes a histogram of an argument");
MODULE_VERSION(MARKERS_VERSION);
