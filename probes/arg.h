/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of probes that name an argument: "argN" or "N", N from 0. */
#ifndef PROBES_ARG_H
#define PROBES_ARG_H

#include "marker_probe.h"

/* 0, or -EINVAL: that is no argument. */
static inline int marker_probe_arg_parse(const char *word, unsigned int *arg)
{
	if (!strncmp(word, "arg", 3))
		word += 3;
	if (*word < '0' || *word >= '0' + MARKER_ARGS_MAX || word[1])
		return -EINVAL;
	*arg = *word - '0';
	return 0;
}

/*
 * 0, or -EINVAL, and the log says why: @site has no such argument, it is a
 * string or, unless @pointers, a pointer.
 */
static inline int marker_probe_arg_check(const char *probe, const struct marker_site *site,
					 unsigned int arg, bool pointers)
{
	enum marker_type type = marker_site_type(site, arg);

	if (type == MARKER_TYPE_NONE)
		pr_err("%s: %s (%s:%u) has no arg%u: \"%s\"\n", probe, site->name, site->file,
		       site->line, arg, site->format);
	else if (type == MARKER_TYPE_STR || (type == MARKER_TYPE_PTR && !pointers))
		pr_err("%s: arg%u of %s (%s:%u) is no number: \"%s\"\n", probe, arg, site->name,
		       site->file, site->line, site->format);
	else
		return 0;
	return -EINVAL;
}

static inline bool marker_probe_arg_is_signed(const struct marker_site *site, unsigned int arg)
{
	enum marker_type type = marker_site_type(site, arg);

	return type == MARKER_TYPE_S8 || type == MARKER_TYPE_S16 ||
	       type == MARKER_TYPE_S32 || type == MARKER_TYPE_S64;
}

#endif
