/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions on the arguments of an event: what follows "if" in a command.
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
#include "site.h"

#define FILTER_CLAUSES_MAX 8

enum filter_op {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LE,
	FILTER_GE,
	FILTER_LT,
	FILTER_GT,
	FILTER_BITS,
	FILTER_OPS
};

struct filter_clause {
	unsigned int arg;
	enum filter_op op;
	bool is_number;
	bool negative;		/* of the number, which then is -value */
	u64 value;		/* as a machine word */
	const char *text;	/* of a string, in filter->words */
};

struct filter {
	const char *words;	/* as given, NULL: all events match */
	char *copy;		/* backs the texts */
	unsigned int nclauses;
	struct filter_clause clauses[FILTER_CLAUSES_MAX];
};

/*
 * @words, NULL for none, must outlive @filter.  -EINVAL, which the log
 * explains, or -ENOMEM.  May sleep.
 */
int filter_parse(struct filter *filter, const char *words);
void filter_free(struct filter *filter);

/*
 * Whether events of @site can be judged: -EINVAL, and the log says why, when
 * an argument does not exist or has another type than its value.
 */
int filter_check(const struct filter *filter, const struct marker_site *site);

/* Whether an event with these arguments matches.  Context: that of the site. */
bool filter_match(const struct filter *filter, const struct marker_site *site,
		  const unsigned long *args);

#endif
