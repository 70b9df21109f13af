/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of probes that name an argument: "argN" or "N", N from 0, or the name of its field. */
#ifndef PROBES_ARG_H
#define PROBES_ARG_H

#include "marker_probe.h"
#include "plan.h"

struct marker_probe_arg {
	char name[MARKER_ARG_NAME_MAX];		/* of the field; empty: it was a number */
	unsigned int n;				/* MARKER_ARGS_MAX: not known before a site is */
};

/* 0, or -EINVAL: that is no argument. */
static inline int marker_probe_arg_parse(const char *word, struct marker_probe_arg *arg)
{
	const char *number = word + (strncmp(word, "arg", 3) ? 0 : 3);

	arg->name[0] = '\0';
	arg->n = *number - '0';
	if (*number >= '0' && *number < '0' + MARKER_ARGS_MAX && !number[1])
		return 0;
	arg->n = MARKER_ARGS_MAX;
	if ((*word >= '0' && *word <= '9') || number > word ||
	    strscpy(arg->name, word, sizeof(arg->name)) <= 0)
		return -EINVAL;
	return 0;
}

/* Which argument of @site it is; all sites of a connection have to agree. */
static inline int marker_probe_arg_find(const char *probe, const struct marker_site *site,
					struct marker_probe_arg *arg)
{
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	unsigned int i, nargs = marker_site_nargs(site);

	if (!arg->name[0])
		return 0;
	marker_arg_names(site, names);
	for (i = 0; i < nargs && strcmp(names[i], arg->name); i++)
		;
	if (i == nargs)
		pr_err("%s: %s (%s:%u) has no field \"%s\": \"%s\"\n", probe, site->name,
		       site->file, site->line, arg->name, site->format);
	else if (arg->n < MARKER_ARGS_MAX && arg->n != i)
		pr_err("%s: \"%s\" is arg%u of %s (%s:%u), and arg%u of another site: connect them apart\n",
		       probe, arg->name, i, site->name, site->file, site->line, arg->n);
	else
		arg->n = i;
	return arg->n == i ? 0 : -EINVAL;
}

/*
 * 0, or -EINVAL, and the log says why: @site has no such argument, it is a
 * string or, unless @pointers, a pointer.
 */
static inline int marker_probe_arg_check(const char *probe, const struct marker_site *site,
					 struct marker_probe_arg *arg, bool pointers)
{
	enum marker_type type;

	if (marker_probe_arg_find(probe, site, arg))
		return -EINVAL;
	type = marker_site_type(site, arg->n);
	if (type == MARKER_TYPE_NONE)
		pr_err("%s: %s (%s:%u) has no arg%u: \"%s\"\n", probe, site->name, site->file,
		       site->line, arg->n, site->format);
	else if (type == MARKER_TYPE_STR || (type == MARKER_TYPE_PTR && !pointers))
		pr_err("%s: arg%u of %s (%s:%u) is no number: \"%s\"\n", probe, arg->n,
		       site->name, site->file, site->line, site->format);
	else
		return 0;
	return -EINVAL;
}

static inline bool marker_probe_arg_is_signed(const struct marker_site *site, unsigned int arg)
{
	return marker_type_is_signed(marker_site_type(site, arg));
}

#endif
