/* SPDX-License-Identifier: GPL-2.0-only */
/* Selectors: the words that pick sites; their forms are in connection.h. */
#ifndef MARKERS_SELECTOR_H
#define MARKERS_SELECTOR_H

#include "env.h"
#include "registry.h"

enum marker_selector_kind {
	SELECT_NAME,		/* one marker */
	SELECT_GLOB,		/* markers whose name matches */
	SELECT_MODULE,
	SELECT_LINE,
	SELECT_SITE,
	SELECT_FUNCTION,	/* copies of one marker that are in one function */
};

struct marker_selector {
	enum marker_selector_kind kind;
	const char *text;	/* as given; not copied */
	const char *word;	/* what names are compared with, in @text */
	unsigned int wordlen;
	const char *function;	/* in @text; NULL: in any */
	u32 number;		/* line or site */
	const char *also;	/* a marker that matches, too; NULL: none */
};

/* -EINVAL: a number is malformed, or a part is empty. */
int marker_selector_parse(struct marker_selector *selector, const char *text);

bool marker_selector_matches(const struct marker_selector *selector,
			     const struct marker_site_state *site);

/* Of a site that matches: whether this copy is left out, since it is in another function. */
bool marker_selector_leaves_out(const struct marker_selector *selector,
				const struct marker_site_state *site,
				const struct marker_gate_state *gate);

/*
 * The sites that match, one a call, beginning with @site == NULL; NULL at the
 * end.  @table: only those of the table that came last; NULL: of all.  Looks only
 * where matches can be.  Leaves out those that were refused.  Locks: marker_mutex.
 */
struct marker_site_state *marker_selector_next(const struct marker_selector *selector,
					       const struct marker_table *table,
					       struct marker_site_state *site);

/* The first site that matches and was refused, or NULL.  Locks: marker_mutex. */
const struct marker_site_state *
marker_selector_refused(const struct marker_selector *selector);

#endif
