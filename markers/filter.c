// SPDX-License-Identifier: GPL-2.0-only
/* Conditions when they are connected.  Not here: judging events (filter_match.c). */
#include "fetch.h"
#include "filter.h"

/* In the order of enum marker_filter_op. A longer operator comes before its own prefix. */
static const char *const op_names[FILTER_OPS] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };

/* Bits of the type, its sign included. */
static unsigned int type_bits(enum marker_type type)
{
	return type >= MARKER_TYPE_STR ? BITS_PER_LONG : 8u << ((type - MARKER_TYPE_S8) / 2);
}

/* A condition that is being parsed. */
struct parser {
	struct marker_filter *filter;
	const char *at;			/* in filter->words: the next token */
	char *free;			/* in filter->texts */
	unsigned int depth;		/* depth of parentheses */
};

/* True if @token comes next; if so, moves behind it. */
static bool take(struct parser *parser, const char *token)
{
	parser->at = skip_spaces(parser->at);
	if (strncmp(parser->at, token, strlen(token)))
		return false;
	parser->at += strlen(token);
	return true;
}

/* The next @len characters as a text that lives as long as the filter. */
static const char *take_text(struct parser *parser, size_t len)
{
	char *text = parser->free;

	memcpy(text, parser->at, len);
	text[len] = '\0';
	parser->free += len + 1;
	parser->at += len;
	return text;
}

static int take_op(struct parser *parser)
{
	int op;

	for (op = 0; op < FILTER_OPS; op++)
		if (take(parser, op_names[op]))
			return op;
	return -EINVAL;
}

static size_t length_of_name(const char *s)
{
	size_t len = 0;

	while (marker_is_name_char(s[len]))
		len++;
	return len;
}

/* Up to a blank, a quote, an operator, or a parenthesis that closes one before the word. */
static size_t length_of_word(const char *s)
{
	unsigned int depth = 0;
	size_t len;

	for (len = 0; s[len] && !strchr(" \t&|\"", s[len]); len++) {
		if (s[len] == '(')
			depth++;
		if (s[len] == ')' && !depth--)
			break;
	}
	return len;
}

/* Parse a field. Like each parse_ function, return NULL, or the expected syntax at parser->at. */
static const char *parse_field(struct parser *parser, struct marker_filter_clause *clause)
{
	size_t len;

	clause->context = -1;
	clause->arg = -1;
	clause->at = parser->at;
	if (*parser->at == '$') {
		len = length_of_name(parser->at + 1);
		clause->context = marker_context_find(parser->at + 1, len);
		clause->name = take_text(parser, len + 1);
		return clause->context < 0 ? "want one of $" MARKER_CONTEXT_NAMES : NULL;
	}
	len = length_of_name(parser->at);
	if (!len || isdigit(*parser->at))
		return "want a field, argN, $comm, ( or !";
	clause->name = take_text(parser, len);
	if (strncmp(clause->name, "arg", 3))
		return NULL;
	if (len != 4 || clause->name[3] < '0' || clause->name[3] >= '0' + MARKER_ARGS_MAX)
		return "want arg0 to arg7";
	clause->arg = clause->name[3] - '0';
	return NULL;
}

static void parse_number(struct marker_filter_clause *clause, const char *value)
{
	u64 number;

	clause->negative = *value == '-';
	clause->is_number = !kstrtou64(value + clause->negative, 0, &number);
	clause->value = clause->negative ? -number : number;
}

static const char *parse_value(struct parser *parser, struct marker_filter_clause *clause)
{
	const char *end;

	parser->at = skip_spaces(parser->at);
	if (*parser->at == '"') {
		end = strchr(parser->at + 1, '"');
		if (!end)
			return "want a value";
		parser->at++;
		clause->text = take_text(parser, end - parser->at);
		parser->at++;
		return NULL;
	}
	if (!length_of_word(parser->at))
		return "want a value";
	clause->text = take_text(parser, length_of_word(parser->at));
	parse_number(clause, clause->text);
	return NULL;
}

static bool is_text_op(enum marker_filter_op op)
{
	return op == FILTER_EQ || op == FILTER_NE || op == FILTER_GLOB;
}

/* True if the number is a value of the type. */
static bool fits(const struct marker_filter_clause *clause, enum marker_type type)
{
	unsigned int bits = type_bits(type);
	u64 limit, magnitude = clause->negative ? -clause->value : clause->value;

	if (!marker_type_is_signed(type))
		return !clause->negative && (bits == 64 || !(magnitude >> bits));
	limit = 1ull << (bits - 1);
	return clause->negative ? magnitude <= limit : magnitude < limit;
}

/* Return why a field of that type cannot be compared so, or NULL. */
static const char *problem_of(const struct marker_filter_clause *clause, enum marker_type type,
			      bool is_text)
{
	if (is_text) {
		if (!is_text_op(clause->op))
			return "a string has ==, != and ~ only";
		return strlen(clause->text) < MARKER_TEXT_MAX ? NULL : "the text is too long";
	}
	if (clause->op == FILTER_GLOB)
		return "the field is a number, and ~ compares texts";
	if (!clause->is_number)
		return "the field is a number, and the value is no number of 64 bits";
	return fits(clause, type) ? NULL : "the field's type has no such value";
}

static const char *problem_of_context(const struct marker_filter_clause *clause)
{
	enum marker_type type = marker_context_kinds[clause->context].type;

	return problem_of(clause, type, type == MARKER_TYPE_STR);
}

static struct marker_filter_test make_test(const struct marker_filter_clause *clause,
					   bool is_signed)
{
	const unsigned long lowest = is_signed ? LONG_MIN : 0;
	struct marker_filter_test test = { .mask = ~0ul, .first = clause->value };

	switch (clause->op) {
	case FILTER_LE:
	case FILTER_GT:
		test.first = lowest;
		test.span = clause->value - lowest;
		break;
	case FILTER_GE:
	case FILTER_LT:
		test.span = ~(clause->value - lowest);
		break;
	case FILTER_BITS:
		test.mask = clause->value;
		test.first = 0;
		break;
	default:
		break;
	}
	test.outside = clause->op == FILTER_NE || clause->op == FILTER_GT ||
		       clause->op == FILTER_LT || clause->op == FILTER_BITS;
	return test;
}

static const char *parse_clause(struct parser *parser)
{
	struct marker_filter *filter = parser->filter;
	struct marker_filter_clause *clause = &filter->clauses[filter->nclauses];
	const char *problem, *value;
	int op;

	if (filter->nclauses == MARKER_FILTER_CLAUSES_MAX)
		return "that is too many conditions";
	problem = parse_field(parser, clause);
	if (problem) {
		parser->at = clause->at;
		return problem;
	}
	op = take_op(parser);
	if (op < 0)
		return "want one of == != < <= > >= & ~";
	value = skip_spaces(parser->at);
	problem = parse_value(parser, clause);
	if (problem)
		return problem;
	clause->op = op;
	clause->tests[false] = make_test(clause, false);
	clause->tests[true] = make_test(clause, true);
	clause->next[false] = FILTER_FALSE;
	clause->next[true] = FILTER_TRUE;
	filter->nclauses++;
	if (clause->context >= 0)
		problem = problem_of_context(clause);
	else if (!clause->is_number && !is_text_op(op))
		problem = "a text has ==, != and ~ only";
	if (problem)
		parser->at = value;
	return problem;
}

/*
 * Redirect the clauses from @first on that end the condition with @from to @to, the next clause or
 * another end.
 */
static void redirect(struct marker_filter *filter, unsigned int first, u8 from, u8 to)
{
	unsigned int i, match;

	for (i = first; i < filter->nclauses; i++)
		for (match = 0; match < 2; match++)
			if (filter->clauses[i].next[match] == from)
				filter->clauses[i].next[match] = to;
}

/* Temporary value that replaces FILTER_FALSE. */
#define ASIDE		(FILTER_FALSE - 1)

static void negate(struct marker_filter *filter, unsigned int first)
{
	redirect(filter, first, FILTER_FALSE, ASIDE);
	redirect(filter, first, FILTER_TRUE, FILTER_FALSE);
	redirect(filter, first, ASIDE, FILTER_TRUE);
}

static const char *parse_any(struct parser *parser);

static const char *parse_parentheses(struct parser *parser)
{
	const char *problem;

	if (parser->depth == MARKER_FILTER_DEPTH_MAX)
		return "that is too many parentheses";
	parser->depth++;
	problem = parse_any(parser);
	parser->depth--;
	return problem ?: take(parser, ")") ? NULL : "want &&, || or )";
}

static const char *parse_term(struct parser *parser)
{
	unsigned int first = parser->filter->nclauses;
	bool negated = take(parser, "!");
	const char *problem;

	problem = take(parser, "(") ? parse_parentheses(parser) : parse_clause(parser);
	if (!problem && negated)
		negate(parser->filter, first);
	return problem;
}

static const char *parse_all(struct parser *parser)
{
	unsigned int first = parser->filter->nclauses;
	const char *problem;

	for (;;) {
		problem = parse_term(parser);
		if (problem || !take(parser, "&&"))
			return problem;
		redirect(parser->filter, first, FILTER_TRUE, parser->filter->nclauses);
	}
}

static const char *parse_any(struct parser *parser)
{
	unsigned int first = parser->filter->nclauses;
	const char *problem;

	for (;;) {
		problem = parse_all(parser);
		if (problem || !take(parser, "||"))
			return problem;
		redirect(parser->filter, first, FILTER_FALSE, parser->filter->nclauses);
	}
}

int marker_filter_parse(struct marker_filter *filter, const char *words)
{
	struct parser parser = { .filter = filter, .at = words };
	const char *problem, *at;

	*filter = (struct marker_filter){ .words = words };
	if (!words)
		return 0;
	/* Two clauses are at least two characters apart, and a clause has an operator. */
	filter->texts = kvzalloc(strlen(words) + 1, GFP_KERNEL);
	if (!filter->texts)
		return -ENOMEM;
	parser.free = filter->texts;
	problem = parse_any(&parser);
	if (!problem && *skip_spaces(parser.at))
		problem = "want && or || between conditions";
	if (!problem)
		return 0;
	at = skip_spaces(parser.at);
	if (*at)
		pr_err("\"if %s\": at \"%s\": %s\n", words, at, problem);
	else
		pr_err("\"if %s\": at its end: %s\n", words, problem);
	marker_filter_free(filter);
	return -EINVAL;
}

void marker_filter_free(struct marker_filter *filter)
{
	kvfree(filter->texts);
	*filter = (struct marker_filter){ };
}

/* Number of the argument that a clause is about, or -ENOENT. */
static int find_field(const struct marker_filter_clause *clause, const struct marker_site *site,
		      const char names[][MARKER_ARG_NAME_MAX])
{
	unsigned int i, n = marker_site_nargs(site);

	if (clause->arg >= 0)
		return clause->arg < (int)n ? clause->arg : -ENOENT;
	for (i = 0; i < n; i++)
		if (!strcmp(names[i], clause->name))
			return i;
	return -ENOENT;
}

static int refuse(const struct marker_filter *filter, const struct marker_filter_clause *clause,
		  const struct marker_site *site, const char *problem)
{
	pr_err("\"if %s\": at \"%s\": %s (%s:%u), format \"%s\": %s\n", filter->words, clause->at,
	       site->name, site->file, site->line, site->format, problem);
	return -EINVAL;
}

static int refuse_field(const struct marker_filter *filter,
			const struct marker_filter_clause *clause, const struct marker_site *site,
			const char names[][MARKER_ARG_NAME_MAX])
{
	char problem[64 + (MARKER_ARGS_MAX + 1) * (MARKER_ARG_NAME_MAX + 1)];
	unsigned int i, n = marker_site_nargs(site);
	size_t len;

	len = scnprintf(problem, sizeof(problem), "there is no field \"%.*s\", %s",
			MARKER_ARG_NAME_MAX, clause->name, n ? "but" : "nor any other");
	for (i = 0; i < n; i++)
		len += scnprintf(problem + len, sizeof(problem) - len, " %s", names[i]);
	return refuse(filter, clause, site, problem);
}

/* Fill in @fields->test if a number is all that the filter compares. */
static void simplify(const struct marker_filter *filter, const struct marker_site *site,
		     struct marker_filter_fields *fields)
{
	const struct marker_filter_clause *clause = filter->clauses;
	enum marker_type type = clause->context >= 0 ?
				marker_context_kinds[clause->context].type :
				marker_site_type(site, fields->args[0]);

	if (filter->nclauses != 1 || type >= MARKER_TYPE_STR || !clause->is_number)
		return;
	/* The last register of a site with more arguments is a pointer to these. */
	if (clause->context < 0 && fields->args[0] >= MARKER_ARGS_REGS - 1 &&
	    marker_site_nargs(site) > MARKER_ARGS_REGS)
		return;
	fields->is_simple = true;
	fields->test = clause->tests[marker_type_is_signed(type)];
	fields->test.outside ^= clause->next[true] == FILTER_FALSE;
}

int marker_filter_check(const struct marker_filter *filter, const struct marker_site *site,
			struct marker_filter_fields *fields)
{
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	struct marker_arg arg;
	unsigned int i;

	*fields = (struct marker_filter_fields){ };
	if (!filter->nclauses)
		return 0;
	marker_arg_names(site, names);
	for (i = 0; i < filter->nclauses; i++) {
		const struct marker_filter_clause *clause = &filter->clauses[i];
		int field = find_field(clause, site, names);
		const char *problem;

		if (clause->context >= 0)
			continue;
		if (field < 0)
			return refuse_field(filter, clause, site, names);
		fields->args[i] = field;
		marker_arg_find(site, field, &arg);
		problem = problem_of(clause, marker_site_type(site, field),
				     marker_filter_is_of_text(clause, &arg));
		if (problem)
			return refuse(filter, clause, site, problem);
	}
	simplify(filter, site, fields);
	return 0;
}
