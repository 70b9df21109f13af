/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions on the arguments of an event, what follows "if" in a command, and limits.
 *
 *	CLAUSE [&& CLAUSE]...		a CLAUSE is	argN OP VALUE
 *
 * OP is == != < <= > >= or &, which holds when a bit of VALUE is set.  VALUE is
 * a number, decimal or 0x..., or, for a string (== and != only), a word or
 * "text in quotes".  Blanks around OP do not matter.  N counts from 0.  Values
 * are compared as the site's type of the argument says: signed, unsigned.  A
 * string is what the format makes a text of: %s, and %pI4, %pS and the like; it
 * compares as it would be recorded, "(null)" and "(efault)" included (fetch.h).
 */
#ifndef MARKERS_FILTER_H
#define MARKERS_FILTER_H

#include "env.h"
#include "marker_args.h"

#define MARKER_FILTER_CLAUSES_MAX 8

enum marker_filter_op {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LE,
	FILTER_GE,
	FILTER_LT,
	FILTER_GT,
	FILTER_BITS,
	FILTER_OPS
};

struct marker_filter_clause {
	unsigned int arg;
	enum marker_filter_op op;
	bool is_number;
	bool negative;		/* of the number, which then is -value */
	u64 value;		/* as a machine word */
	const char *text;	/* of a string, in filter->words */
};

struct marker_filter {
	const char *words;	/* as given, NULL: all events match */
	char *copy;		/* backs the texts */
	unsigned int nclauses;
	struct marker_filter_clause clauses[MARKER_FILTER_CLAUSES_MAX];
};

/*
 * @words, NULL for none, must outlive @filter.  -EINVAL, which the log
 * explains, or -ENOMEM.  May sleep.
 */
int marker_filter_parse(struct marker_filter *filter, const char *words);
void marker_filter_free(struct marker_filter *filter);

/*
 * Whether events of @site can be judged: -EINVAL, and the log says why, when
 * an argument does not exist or has another type than its value.
 */
int marker_filter_check(const struct marker_filter *filter, const struct marker_site *site);

/* Whether an event with these arguments matches.  Context: that of the site. */
bool marker_filter_match(const struct marker_filter *filter, const struct marker_site *site,
			 const unsigned long *args);

/*
 * A guard stands between a site and a probe: it lets events pass that match a
 * filter, and only the first N of those.  Connections without either have no
 * guard, so what they cost is not changed by it.
 */
struct marker_guard {
	struct marker_filter filter;
	unsigned long limit;		/* of events that pass; 0: none */
	atomic_long_t passed;		/* continues past the limit */
};

/* What is behind a guard, of which there may be several. */
struct marker_guarded {
	struct marker_guard *guard;
	struct marker_link link;
};

/* What the sites call; its link's data is a struct marker_guarded. */
marker_fn marker_guard;

static inline bool marker_guard_is_needed(const struct marker_guard *guard)
{
	return guard->limit || guard->filter.nclauses;
}

/* Whether the last event has passed. */
static inline bool marker_guard_is_spent(const struct marker_guard *guard)
{
	return guard->limit && (unsigned long)atomic_long_read(&guard->passed) >= guard->limit;
}

/* Events that may still pass, of a guard with a limit. */
static inline unsigned long marker_guard_left(const struct marker_guard *guard)
{
	unsigned long passed = atomic_long_read(&guard->passed);

	return passed < guard->limit ? guard->limit - passed : 0;
}

/*
 * Called, in the context of the site, when a guard has let its last event pass.
 * Set before anything is connected; may be NULL.
 */
extern void (*marker_guard_spent)(void);

#endif
