// SPDX-License-Identifier: GPL-2.0-only
/*
 * ctf: stores every event whole, with its time.  One probe for sites of any
 * format: bind() gives each site the function that is made for its format.
 */
#include "copy.h"
#include "ctf.h"

static void *attach(const char *args)
{
	int ret;

	if (args) {
		pr_err("ctf takes no words; its buffers are set up in ctf/control\n");
		return ERR_PTR(-EINVAL);
	}
	ret = marker_ctf_session_attach();
	return ret ? ERR_PTR(ret) : &marker_ctf_probe;
}

static void detach(void *data)
{
	marker_ctf_session_detach();
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	struct marker_ctf_class *event = marker_ctf_session_class(site);

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
