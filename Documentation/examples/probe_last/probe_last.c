// SPDX-License-Identifier: GPL-2.0-only
/*
 * last: keeps one integer of the last event, for sites of any format that have
 * one.  Its word says which argument it is, from 1:
 *
 *	connect marked_level last 2
 *	cat /sys/module/probe_last/parameters/value
 */
#include "marker_probe.h"

/* One connection. */
struct last {
	unsigned int arg;		/* from 0 */
};

/* Value of the last event of all connections; every site that runs writes it. */
static long value;

static void notrace keep(MARKER_PARAMS)
{
	/* Whatever its type, an argument arrives as one word. */
	unsigned long words[MARKER_ARGS_MAX];
	const struct last *last = link->data;

	marker_words(words, site, a, b, c, d);
	WRITE_ONCE(value, words[last->arg]);
}

/* At connect, for each site: the argument has to be there, and an integer. */
static int check(void *data, const struct marker_site *site)
{
	const struct last *last = data;
	enum marker_type type = marker_site_type(site, last->arg);

	return type >= MARKER_TYPE_S8 && type <= MARKER_TYPE_U64 ? 0 : -EINVAL;
}

static void *attach(const char *args)
{
	struct last *last = kzalloc(sizeof(*last), GFP_KERNEL);
	unsigned int number = 1;
	int ret = 0;

	if (!last)
		return ERR_PTR(-ENOMEM);
	if (args)
		ret = kstrtouint(args, 10, &number);
	if (ret || !number) {
		kfree(last);
		return ERR_PTR(-EINVAL);
	}
	last->arg = number - 1;
	return last;
}

static void detach(void *data)
{
	kfree(data);
}

static struct marker_probe probe = {
	.name = "last",
	.func = keep,
	.leaf = true,
	.check = check,
	.attach = attach,
	.detach = detach,
	.owner = THIS_MODULE,
};

module_param(value, long, 0444);
MODULE_PARM_DESC(value, "the integer of the last event");
MARKER_PROBE_MODULE(probe, "example of a marker probe");
