/* SPDX-License-Identifier: GPL-2.0-only */
/* Selectors: the words that pick sites; their forms are in command.h. */
#ifndef MARKERS_SELECTOR_H
#define MARKERS_SELECTOR_H

#include "env.h"
#include "registry.h"

enum marker_selector_kind {
	SELECT_NAME,		/* the markers of one name */
	SELECT_GLOB,		/* markers whose name matches */
	SELECT_MODULE,
	SELECT_LINE,
	SELECT_SITE,
	SELECT_FUNCTION,	/* copies of one marker that are in one function */
	SELECT_DEBUG,		/* debug sites, by a query (debug_query.h) */
};

struct marker_selector {
	enum marker_selector_kind kind;
	const char *text;	/* text of the command; not copied */
	const char *word;	/* compared with names; in @text */
	unsigned int wordlen;
	const char *function;	/* in @text; NULL: in any */
	u32 number;		/* line or site */
	const char *also;	/* name of markers that match, too; NULL: none */
};

/* True if the text of the selector is NAME, NAME@FUNCTION or a GLOB of names. */
static inline bool marker_selector_is_name(const struct marker_selector *selector)
{
	return selector->kind == SELECT_NAME || selector->kind == SELECT_GLOB ||
	       selector->kind == SELECT_FUNCTION;
}

/* -EINVAL: a number is malformed, or a part is empty. */
int marker_selector_parse(struct marker_selector *selector, const char *text);

bool marker_selector_matches(const struct marker_selector *selector,
			     const struct marker_site_state *site);

/*
 * Selectors of connections and of the rule of `expose` that may match debug sites: while there
 * are any, modules that come are looked through.  Context: any for marker_selector_wants_debug().
 */
void marker_selector_count_debug(const struct marker_selector *selector, int n);
bool marker_selector_wants_debug(void);

/* True if there may be debug sites that match, but are not known yet. */
bool marker_selector_may_be_debug(const struct marker_selector *selector);

/* True if a matching site has this copy in another function than the selector's. */
bool marker_selector_leaves_out(const struct marker_selector *selector,
				const struct marker_site_state *site,
				const struct marker_gate_state *gate);

/*
 * Return the next matching site after @site (NULL: the first), or NULL. @table: search only the
 * table that came last; NULL: all tables. Skips refused sites, and searches only where matches are
 * possible. Locks: marker_mutex.
 */
struct marker_site_state *marker_selector_next(const struct marker_selector *selector,
					       const struct marker_table *table,
					       struct marker_site_state *site);

/* The first site that matches and was refused, or NULL.  Locks: marker_mutex. */
const struct marker_site_state *
marker_selector_refused(const struct marker_selector *selector);

#endif
