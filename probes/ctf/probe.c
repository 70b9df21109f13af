// SPDX-License-Identifier: GPL-2.0-only
/*
 * ctf: stores every event whole, with its time.  One probe for sites of any
 * format: bind() gives each site the function that is made for its format.
 */
#include "copy.h"
#include "ctf.h"
#include "items.h"
#include "stack.h"

/* A connection's; bind() gets it. */
struct terms {
	u32 context;			/* items.h */
};

static int accept(struct terms *terms, const char *args)
{
	int ret = marker_ctf_items_parse(args, &terms->context);

	if (!ret && terms->context & ITEM_STACKS)
		ret = marker_ctf_stack_check(terms->context);
	return ret ?: marker_ctf_session_attach(terms->context & ITEM_KSTACK);
}

static void *attach(const char *args)
{
	struct terms *terms = kzalloc(sizeof(*terms), GFP_KERNEL);
	int ret;

	if (!terms)
		return ERR_PTR(-ENOMEM);
	ret = accept(terms, args);
	if (!ret)
		return terms;
	kfree(terms);
	return ERR_PTR(ret);
}

static void detach(void *data)
{
	marker_ctf_session_detach();
	kfree(data);
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	const struct terms *terms = data;
	struct marker_ctf_class *event = marker_ctf_session_class(site, terms->context);

	if (IS_ERR(event)) {
		pr_err("ctf cannot store %s, format \"%s\": %ld\n", site->name, site->format,
		       PTR_ERR(event));
		return PTR_ERR(event);
	}
	link->func = marker_ctf_copy_find(event);
	link->data = event;
	return 0;
}

/* Never called: every site is bound to something else. */
static void notrace unbound(MARKER_PARAMS)
{
}

struct marker_probe marker_ctf_probe = {
	.name = "ctf",
	.func = unbound,
	.attach = attach,
	.detach = detach,
	.bind = bind,
	.owner = THIS_MODULE,
};
