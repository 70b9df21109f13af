/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions on an event (the text behind "if" in a command), and limits.
 *
 *	CONDITION:	ALL [|| ALL]...
 *	ALL:		TERM [&& TERM]...
 *	TERM:		FIELD OP VALUE		(CONDITION)		! TERM
 *
 * FIELD is an argument, by its name (plan.h) or as argN, N from 0; or $NAME of the
 * context (context.h).  OP is as in the filters of trace events: == != < <= > >=; &,
 * which holds when a bit of VALUE is set; ~, for which VALUE is a glob.  VALUE is a
 * number, decimal or 0x..., or, for a text (==, != and ~ only), a word or "text in
 * quotes"; parentheses in a word come in pairs.  Blanks between them do not matter.
 * Numbers are compared as the type of the field says: signed, unsigned.  A text is an argument that
 * the format prints as a text: %s, and %pI4, %pS and the like; it compares as it would be
 * recorded, "(null)" and "(efault)" included (fetch.h).  So do bytes, as "%ph" prints them,
 * and a value that has a name where VALUE is no number.
 *
 * The clauses, each a FIELD OP VALUE, are kept in their order, and each has the number of the
 * next clause to evaluate.  So an event costs only the clauses that are evaluated.
 */
#ifndef MARKERS_FILTER_H
#define MARKERS_FILTER_H

#include "context.h"
#include "env.h"
#include "marker_args.h"
#include "plan.h"

#define MARKER_FILTER_CLAUSES_MAX	16
#define MARKER_FILTER_DEPTH_MAX		8	/* depth of parentheses */

enum marker_filter_op {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LE,
	FILTER_GE,
	FILTER_LT,
	FILTER_GT,
	FILTER_BITS,
	FILTER_GLOB,
	FILTER_OPS
};

/* In place of the number of the next clause: the result of the condition. */
#define FILTER_FALSE	254
#define FILTER_TRUE	255

/**
 * struct marker_filter_test - comparison of a number, as a range
 * @mask: bits of the number that are compared
 * @first: first number of the range
 * @span: last number of the range, minus @first
 * @outside: 1: numbers outside of the range match; 0: numbers in the range
 *
 * The range may wrap around, so a comparison of signed numbers is one, too.
 */
struct marker_filter_test {
	unsigned long mask, first, span, outside;
};

static __always_inline bool marker_filter_test(const struct marker_filter_test *test,
					       unsigned long word)
{
	return ((word & test->mask) - test->first > test->span) == test->outside;
}

struct marker_filter_clause {
	const char *name;	/* name of the field, in filter->texts */
	const char *at;		/* where the clause begins in filter->words */
	int arg;		/* N of "argN", or -1: by its name */
	int context;		/* enum marker_context, or -1: an argument */
	enum marker_filter_op op;
	bool is_number;
	bool negative;		/* true if the number is -value */
	u8 next[2];		/* when it does not match, when it does */
	u64 value;		/* the value, as a machine word */
	const char *text;	/* the value as a text, in filter->texts */
	struct marker_filter_test tests[2];	/* of a number: unsigned, signed */
};

struct marker_filter {
	const char *words;	/* the condition, as given; NULL: all events match */
	char *texts;		/* names and values */
	unsigned int nclauses;
	struct marker_filter_clause clauses[MARKER_FILTER_CLAUSES_MAX];
};

/**
 * struct marker_filter_fields - a filter at sites that have its fields in the same arguments
 * @args: arguments that the clauses are about
 * @is_simple: the condition is one comparison of a number, which is an item of the context or a
 *	       word that the site passes in a register
 * @test: comparison of a simple condition
 *
 * Two of them are equal if their bytes are.
 */
struct marker_filter_fields {
	u8 args[MARKER_FILTER_CLAUSES_MAX];
	unsigned long is_simple;
	struct marker_filter_test test;
};

/*
 * Parse @words, NULL for none, which must outlive @filter. -EINVAL, and the log has the place and
 * the expected syntax, or -ENOMEM. May sleep.
 */
int marker_filter_parse(struct marker_filter *filter, const char *words);
void marker_filter_free(struct marker_filter *filter);

/*
 * Check that events of @site can be judged, and find their arguments. -EINVAL, with the reason in
 * the log, if a field does not exist or has another type than its value.
 */
int marker_filter_check(const struct marker_filter *filter, const struct marker_site *site,
			struct marker_filter_fields *fields);

/* True if the clause compares texts: bytes in hexadecimal and the name of a value are some. */
static inline bool marker_filter_is_of_text(const struct marker_filter_clause *clause,
					    const struct marker_arg *arg)
{
	return marker_arg_has_text(arg) || (arg->is_symbolic && !clause->is_number);
}

/* True if an event with these arguments matches.  Context: as at the site. */
bool marker_filter_match(const struct marker_filter *filter,
			 const struct marker_filter_fields *fields,
			 const struct marker_site *site, const unsigned long *args);

#endif
