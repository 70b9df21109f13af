// SPDX-License-Identifier: GPL-2.0-only
/*
 * ctf: stores whole events with their times. One probe serves sites of any format: bind() gives
 * each site the function for its format.
 */
#include "copy.h"
#include "ctf.h"
#include "items.h"
#include "stack.h"

/* A connection's; bind() gets it. */
struct terms {
	struct marker_ctf_session *session;
	u32 context;			/* items.h */
};

const char *marker_ctf_probe_session(const char *args, char name[SESSION_NAME_MAX])
{
	static const char key[] = "session=";
	size_t len;

	*name = '\0';
	if (!args || strncmp(args, key, strlen(key)))
		return args;
	args += strlen(key);
	len = strcspn(args, " ");
	if (!len || len >= SESSION_NAME_MAX)
		return args - strlen(key);
	memcpy(name, args, len);
	name[len] = '\0';
	args = skip_spaces(args + len);
	return *args ? args : NULL;
}

static int accept(struct terms *terms, const char *args)
{
	char name[SESSION_NAME_MAX];
	int ret = marker_ctf_items_parse(marker_ctf_probe_session(args, name), &terms->context);

	if (!ret && terms->context & ITEM_STACKS)
		ret = marker_ctf_stack_check(terms->context);
	if (ret)
		return ret;
	terms->session = marker_ctf_session_attach(name, terms->context & ITEM_KSTACK);
	return PTR_ERR_OR_ZERO(terms->session);
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
	struct terms *terms = data;

	marker_ctf_session_detach(terms->session);
	kfree(terms);
}

bool marker_ctf_probe_is_of(const void *data, const void *session)
{
	const struct terms *terms = data;

	return terms->session == session;
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	const struct terms *terms = data;
	struct marker_ctf_class *event;

	event = marker_ctf_session_class(terms->session, site, terms->context);
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
	.leaf = true,
	.attach = attach,
	.detach = detach,
	.bind = bind,
	.owner = THIS_MODULE,
};
