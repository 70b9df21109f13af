/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of probes that name an argument: "argN" or "N", N from 0, or the name of its field. */
#ifndef PROBES_ARG_H
#define PROBES_ARG_H

#include "marker_probe.h"
#include "plan.h"

struct marker_probe_arg {
	char name[MARKER_ARG_NAME_MAX];		/* name of the field; empty: a number */
	unsigned int n;				/* where it was a number */
};

/* 0, or -EINVAL: that is no argument. */
static inline int marker_probe_arg_parse(const char *word, struct marker_probe_arg *arg)
{
	const char *number = word + (strncmp(word, "arg", 3) ? 0 : 3);

	arg->name[0] = '\0';
	arg->n = *number - '0';
	if (*number >= '0' && *number < '0' + MARKER_ARGS_MAX && !number[1])
		return 0;
	if ((*word >= '0' && *word <= '9') || number > word ||
	    strscpy(arg->name, word, sizeof(arg->name)) <= 0)
		return -EINVAL;
	return 0;
}

static inline unsigned int marker_probe_arg_number(const struct marker_site *site,
						   const struct marker_probe_arg *arg)
{
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	unsigned int i, nargs = marker_site_nargs(site);

	if (!arg->name[0])
		return arg->n;
	marker_arg_names(site, names);
	for (i = 0; i < nargs && strcmp(names[i], arg->name); i++)
		;
	return i < nargs ? i : MARKER_ARGS_MAX;
}

/*
 * The number of the argument at @site, which may be another one at the next site; or -EINVAL, and
 * the log says why: @site has no such argument, it is a string or, unless @pointers, a pointer.
 */
static inline int marker_probe_arg_find(const char *probe, const struct marker_site *site,
					const struct marker_probe_arg *arg, bool pointers)
{
	unsigned int n = marker_probe_arg_number(site, arg);
	enum marker_type type;

	if (n == MARKER_ARGS_MAX) {
		pr_err("%s: %s (%s:%u) has no field \"%s\": \"%s\"\n", probe, site->name,
		       site->file, site->line, arg->name, site->format);
		return -EINVAL;
	}
	type = marker_site_type(site, n);
	if (type == MARKER_TYPE_NONE)
		pr_err("%s: %s (%s:%u) has no arg%u: \"%s\"\n", probe, site->name, site->file,
		       site->line, n, site->format);
	else if (type == MARKER_TYPE_STR || (type == MARKER_TYPE_PTR && !pointers))
		pr_err("%s: arg%u of %s (%s:%u) is no number: \"%s\"\n", probe, n, site->name,
		       site->file, site->line, site->format);
	else
		return n;
	return -EINVAL;
}

static inline bool marker_probe_arg_is_signed(const struct marker_site *site, unsigned int arg)
{
	return marker_type_is_signed(marker_site_type(site, arg));
}

#endif
