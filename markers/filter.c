// SPDX-License-Identifier: GPL-2.0-only
/* Parses conditions when they are connected, judges and counts events when they happen. */
#include "fetch.h"
#include "filter.h"

/* In the order of enum marker_filter_op; one that begins another stands behind it. */
static const char *const op_names[FILTER_OPS] = { "==", "!=", "<=", ">=", "<", ">", "&" };

static bool is_signed(enum marker_type type)
{
	return type == MARKER_TYPE_S8 || type == MARKER_TYPE_S16 ||
	       type == MARKER_TYPE_S32 || type == MARKER_TYPE_S64;
}

/* Bits of the type, its sign included. */
static unsigned int type_bits(enum marker_type type)
{
	return type >= MARKER_TYPE_STR ? BITS_PER_LONG : 8u << ((type - MARKER_TYPE_S8) / 2);
}

static int parse_op(char **text)
{
	int op;

	*text = skip_spaces(*text);
	for (op = 0; op < FILTER_OPS; op++)
		if (!strncmp(*text, op_names[op], strlen(op_names[op]))) {
			*text += strlen(op_names[op]);
			return op;
		}
	return -EINVAL;
}

static int parse_arg(char **text, unsigned int *arg)
{
	char *s = skip_spaces(*text);

	if (strncmp(s, "arg", 3) || s[3] < '0' || s[3] >= '0' + MARKER_ARGS_MAX ||
	    (s[4] >= '0' && s[4] <= '9'))
		return -EINVAL;
	*arg = s[3] - '0';
	*text = s + 4;
	return 0;
}

/* Ends the value with a NUL, moves @text behind it.  False when there is none. */
static bool take_value(char **text, char **value, bool *quoted)
{
	char *s = skip_spaces(*text), *end;

	*quoted = *s == '"';
	if (*quoted) {
		end = strchr(++s, '"');
		if (!end)
			return false;
	} else {
		end = s + strcspn(s, " \t&\"");
		if (end == s)
			return false;
	}
	*value = s;
	/* What follows a bare word may be the "&&" without a blank. */
	if (*quoted || *end != '&') {
		*text = *end ? end + 1 : end;
		*end = '\0';
		return true;
	}
	memmove(end + 1, end, strlen(end) + 1);
	*end = '\0';
	*text = end + 1;
	return true;
}

static void parse_number(struct marker_filter_clause *clause, const char *value)
{
	u64 number;

	clause->negative = *value == '-';
	clause->is_number = !kstrtou64(value + clause->negative, 0, &number);
	clause->value = clause->negative ? -number : number;
}

/* Moves @text behind the clause.  NULL, or what is wrong, and @text begins with it. */
static const char *parse_clause(struct marker_filter_clause *clause, char **text)
{
	bool quoted;
	char *value;
	int op;

	*text = skip_spaces(*text);
	if (parse_arg(text, &clause->arg))
		return "want an argument, arg0 to arg7";
	op = parse_op(text);
	if (op < 0)
		return "want one of == != < <= > >= &";
	if (!take_value(text, &value, &quoted))
		return "want a value";
	clause->op = op;
	clause->text = value;
	if (!quoted)
		parse_number(clause, value);
	if (clause->is_number || op == FILTER_EQ || op == FILTER_NE)
		return NULL;
	*text = value;
	return "a text has == and != only";
}

/* The same, for all of them. */
static const char *parse_clauses(struct marker_filter *filter, char **text)
{
	const char *problem;

	for (;;) {
		if (filter->nclauses == MARKER_FILTER_CLAUSES_MAX)
			return "that is too many conditions";
		problem = parse_clause(&filter->clauses[filter->nclauses++], text);
		if (problem)
			return problem;
		*text = skip_spaces(*text);
		if (!**text)
			return NULL;
		if (strncmp(*text, "&&", 2))
			return "want && between conditions";
		*text += 2;
	}
}

int marker_filter_parse(struct marker_filter *filter, const char *words)
{
	const char *problem;
	char *rest;

	*filter = (struct marker_filter){ .words = words };
	if (!words)
		return 0;
	/* Room for a NUL between each value and the "&&" behind it. */
	filter->copy = kzalloc(strlen(words) + MARKER_FILTER_CLAUSES_MAX + 1, GFP_KERNEL);
	if (!filter->copy)
		return -ENOMEM;
	memcpy(filter->copy, words, strlen(words));
	rest = filter->copy;
	problem = parse_clauses(filter, &rest);
	if (!problem)
		return 0;
	pr_err("\"if %s\": at \"%s\": %s\n", words, rest, problem);
	marker_filter_free(filter);
	return -EINVAL;
}

void marker_filter_free(struct marker_filter *filter)
{
	kfree(filter->copy);
	*filter = (struct marker_filter){ };
}

/* Whether the number is a value of the type. */
static bool fits(const struct marker_filter_clause *clause, enum marker_type type)
{
	unsigned int bits = type_bits(type);
	u64 limit, magnitude = clause->negative ? -clause->value : clause->value;

	if (!is_signed(type))
		return !clause->negative && (bits == 64 || !(magnitude >> bits));
	limit = 1ull << (bits - 1);
	return clause->negative ? magnitude <= limit : magnitude < limit;
}

/* Why events of @site cannot be judged by the clause, or NULL. */
static const char *problem_of(const struct marker_filter_clause *clause,
			      const struct marker_site *site)
{
	enum marker_type type = marker_site_type(site, clause->arg);
	struct marker_arg arg;

	if (type == MARKER_TYPE_NONE)
		return "there is no such argument";
	marker_arg_find(site, clause->arg, &arg);
	if (marker_arg_is_text(&arg)) {
		if (clause->op > FILTER_NE)
			return "a string has == and != only";
		return strlen(clause->text) < MARKER_TEXT_MAX ? NULL : "the text is too long";
	}
	if (!clause->is_number)
		return "the argument is a number";
	return fits(clause, type) ? NULL : "the argument's type has no such value";
}

int marker_filter_check(const struct marker_filter *filter, const struct marker_site *site)
{
	unsigned int i;

	for (i = 0; i < filter->nclauses; i++) {
		const struct marker_filter_clause *clause = &filter->clauses[i];
		const char *problem = problem_of(clause, site);

		if (!problem)
			continue;
		pr_err("\"if %s\": arg%u of %s (%s:%u), format \"%s\": %s\n", filter->words,
		       clause->arg, site->name, site->file, site->line, site->format, problem);
		return -EINVAL;
	}
	return 0;
}

/* -1, 0 or 1 */
static int compare(enum marker_type type, unsigned long arg,
		   const struct marker_filter_clause *clause)
{
	if (is_signed(type))
		return (long)arg < (long)clause->value ? -1 : (long)arg > (long)clause->value;
	return arg < clause->value ? -1 : arg > clause->value;
}

/* Apart, since not every condition needs the stack for a text. */
static noinline bool notrace text_match(const struct marker_filter_clause *clause,
					const struct marker_arg *arg, const unsigned long *args)
{
	char text[MARKER_TEXT_MAX];

	marker_fetch_text(arg, args, text, sizeof(text));
	return !strcmp(text, clause->text) == (clause->op == FILTER_EQ);
}

static bool notrace clause_match(const struct marker_filter_clause *clause,
				 const struct marker_site *site, const unsigned long *args)
{
	enum marker_type type = marker_site_type(site, clause->arg);
	unsigned long word = args[clause->arg];
	struct marker_arg arg;
	int order;

	/* No integer is a text. */
	if (type >= MARKER_TYPE_STR) {
		marker_arg_find(site, clause->arg, &arg);
		if (marker_arg_is_text(&arg))
			return text_match(clause, &arg, args);
	}
	if (clause->op == FILTER_BITS)
		return word & clause->value;
	order = compare(type, word, clause);
	switch (clause->op) {
	case FILTER_EQ:
		return order == 0;
	case FILTER_NE:
		return order != 0;
	case FILTER_LE:
		return order <= 0;
	case FILTER_GE:
		return order >= 0;
	case FILTER_LT:
		return order < 0;
	default:
		return order > 0;
	}
}

bool notrace marker_filter_match(const struct marker_filter *filter, const struct marker_site *site,
				 const unsigned long *args)
{
	unsigned int i;

	for (i = 0; i < filter->nclauses; i++)
		if (!clause_match(&filter->clauses[i], site, args))
			return false;
	return true;
}

void (*marker_guard_spent)(void);

void notrace marker_guard(MARKER_PARAMS)
{
	const struct marker_guarded *behind = link->data;
	struct marker_guard *guard = behind->guard;
	unsigned long args[MARKER_ARGS_MAX], n = 0;

	marker_words(args, site, a, b, c, d);
	if (!marker_filter_match(&guard->filter, site, args))
		return;
	/* Read first: the gates close a while after the limit is reached. */
	if (guard->limit) {
		if (marker_guard_is_spent(guard))
			return;
		n = atomic_long_inc_return(&guard->passed);
		if (n > guard->limit)
			return;
	}
	behind->link.func(&behind->link, site, a, b, c, d);
	if (guard->limit && n == guard->limit && marker_guard_spent)
		marker_guard_spent();
}
