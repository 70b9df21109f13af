// SPDX-License-Identifier: GPL-2.0-only
/* Conditions when events happen: judges them. */
#include "fetch.h"
#include "filter.h"
#include "symbol.h"

static bool notrace text_matches(const struct marker_filter_clause *clause, const char *text)
{
	if (clause->op == FILTER_GLOB)
		return glob_match(clause->text, text);
	return !strcmp(text, clause->text) == (clause->op == FILTER_EQ);
}

/* Apart, since not every condition needs the stack for a text. */
static noinline bool notrace arg_matches(const struct marker_filter_clause *clause,
					 const struct marker_site *site,
				 const struct marker_arg *arg, const unsigned long *args)
{
	char text[MARKER_TEXT_MAX];

	if (arg->is_symbolic)
		marker_symbol_print(site->format, arg, args[arg->index], text);
	else
		marker_fetch_text(arg, args, text, sizeof(text));
	return text_matches(clause, text);
}

static bool notrace number_matches(const struct marker_filter_clause *clause,
				   enum marker_type type, unsigned long word)
{
	return marker_filter_test(&clause->tests[marker_type_is_signed(type)], word);
}

static bool notrace context_matches(const struct marker_filter_clause *clause)
{
	enum marker_type type = marker_context_kinds[clause->context].type;
	unsigned long word = marker_context_read(clause->context);

	if (type == MARKER_TYPE_STR)
		return text_matches(clause, (const char *)word);
	return number_matches(clause, type, word);
}

static bool notrace field_matches(const struct marker_filter_clause *clause, unsigned int field,
				  const struct marker_site *site, const unsigned long *args)
{
	enum marker_type type = marker_site_type(site, field);
	struct marker_arg arg;

	/* No integer is a text, unless its value is compared by its name. */
	if (type >= MARKER_TYPE_STR || !clause->is_number) {
		marker_arg_find(site, field, &arg);
		if (marker_filter_is_of_text(clause, &arg))
			return arg_matches(clause, site, &arg, args);
	}
	return number_matches(clause, type, args[field]);
}

bool notrace marker_filter_match(const struct marker_filter *filter,
				 const struct marker_filter_fields *fields,
				 const struct marker_site *site, const unsigned long *args)
{
	const struct marker_filter_clause *clause;
	unsigned int i = 0;

	while (i < filter->nclauses) {
		clause = &filter->clauses[i];
		i = clause->next[clause->context >= 0 ? context_matches(clause) :
				 field_matches(clause, fields->args[i], site, args)];
	}
	return i != FILTER_FALSE;
}
