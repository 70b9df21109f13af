// SPDX-License-Identifier: GPL-2.0-only
/* Parses printk() formats.  Not here: reading the memory at an address (fetch.c). */
#include "decode.h"
#include "plan.h"

/* Largest number in a format; MARKER_SPEC_MAX has room for these. */
#define NUMBER_MAX	9999	/* width, precision */
#define FLAGS_MAX	8

/* Digits, or a "*", which takes an argument.  Returns the text behind it. */
static const char *notrace parse_number(const char *s, s16 *number, s8 *number_arg,
					struct marker_arg *arg)
{
	if (*s == '*') {
		*number_arg = arg->index++;
		return s + 1;
	}
	for (*number = 0; isdigit(*s); s++)
		*number = min(*number * 10 + (*s - '0'), NUMBER_MAX);
	return s;
}

/* "hh", "h", "" or, for all that are as long as a machine word, "l". */
static const char *notrace parse_length(const char *s, char *length)
{
	if (s[0] == 'h') {
		*length++ = *s++;
		if (*s == 'h')
			*length++ = *s++;
	} else if (*s == 'l' || *s == 'L' || *s == 'z' || *s == 't') {
		*length++ = 'l';
		s += s[0] == 'l' && s[1] == 'l' ? 2 : 1;
	}
	*length = '\0';
	return s;
}

/* "%p" and its @suffix, the letters and digits behind. */
static enum marker_role notrace parse_pointer(struct marker_arg *arg, const char *suffix,
					      unsigned int nsuffix)
{
	arg->base = 16;
	if (arg->precision >= 0 || arg->precision_arg >= 0 || nsuffix >= sizeof(arg->decode))
		return MARKER_ROLE_REFUSED;
	memcpy(arg->decode, suffix, nsuffix);
	arg->decode[nsuffix] = '\0';
	if (!nsuffix || !strcmp(arg->decode, "K"))
		return MARKER_ROLE_POINTER;
	if (!strcmp(arg->decode, "x")) {
		arg->letter = 'x';
		strscpy(arg->length, "l", sizeof(arg->length));
		return MARKER_ROLE_NUMBER;
	}
	if (!strcmp(arg->decode, "ks"))
		return MARKER_ROLE_TEXT;
	arg->decoder = marker_decoder_find(arg->decode, &arg->counts);
	return arg->decoder ? MARKER_ROLE_DECODED : MARKER_ROLE_REFUSED;
}

/* "%Ny" */
static enum marker_role notrace parse_bytes(struct marker_arg *arg)
{
	arg->counts = true;
	if (arg->width < 1 || arg->width > MARKER_BYTES_MAX || arg->precision >= 0 ||
	    arg->precision_arg >= 0)
		return MARKER_ROLE_REFUSED;
	return MARKER_ROLE_BYTES;
}

static enum marker_role notrace parse_letter(struct marker_arg *arg)
{
	switch (arg->letter) {
	case 'i':
		arg->letter = 'd';
		return MARKER_ROLE_NUMBER;
	case 'c':
		arg->length[0] = '\0';
		return MARKER_ROLE_NUMBER;
	case 'd':
	case 'u':
		return MARKER_ROLE_NUMBER;
	case 'x':
	case 'X':
		arg->base = 16;
		return MARKER_ROLE_NUMBER;
	case 'o':
		arg->base = 8;
		return MARKER_ROLE_NUMBER;
	case 's':
		return MARKER_ROLE_TEXT;
	case 'y':
		return parse_bytes(arg);
	default:
		return MARKER_ROLE_REFUSED;
	}
}

/* "%{ NAME=VALUE... }", behind the '{'. */
static const char *notrace parse_symbols(const char *s, struct marker_arg *arg)
{
	const char *end = strchr(s, '}');

	arg->letter = 'd';
	arg->is_symbolic = true;
	if (!end)
		return s + strlen(s);
	arg->role = MARKER_ROLE_NUMBER;
	return end + 1;
}

/* Parse the conversion at @s, a '%'. Return the text behind it. */
static const char *notrace parse(const char *s, struct marker_arg *arg)
{
	const char *suffix;

	if (s[1] == '{')
		return parse_symbols(s + 2, arg);
	arg->nflags = min_t(size_t, strspn(++s, "-+ #0"), FLAGS_MAX);
	arg->left = memchr(s, '-', arg->nflags);
	s += arg->nflags;
	if (*s == '*' || isdigit(*s))
		s = parse_number(s, &arg->width, &arg->width_arg, arg);
	if (*s == '.')
		s = parse_number(s + 1, &arg->precision, &arg->precision_arg, arg);
	s = parse_length(s, arg->length);
	arg->letter = *s;
	if (!*s)
		return s;
	suffix = ++s;
	if (arg->letter != 'p') {
		arg->role = parse_letter(arg);
		return s;
	}
	while (isalnum((unsigned char)*s))
		s++;
	arg->role = parse_pointer(arg, suffix, s - suffix);
	return s;
}

bool notrace marker_arg_next(const struct marker_site *site, struct marker_arg *arg)
{
	const char *s = site->format + arg->end;
	unsigned int next = arg->next;

	do {
		s = strchr(s, '%');
		if (!s)
			return false;
		*arg = (struct marker_arg){
			.role = MARKER_ROLE_REFUSED,
			.index = next,
			.next = next,
			.width_arg = MARKER_PLAN_NONE,
			.precision_arg = MARKER_PLAN_NONE,
			.width = MARKER_PLAN_NONE,
			.precision = MARKER_PLAN_NONE,
			.base = 10,
			.start = s - site->format,
		};
		s = parse(s, arg);
	} while (arg->letter == '%' && arg->index == next);
	arg->end = s - site->format;
	arg->next = arg->index + 1;
	arg->type = marker_site_type(site, arg->index);
	if (arg->type == MARKER_TYPE_NONE ||
	    (marker_arg_has_text(arg) && arg->type < MARKER_TYPE_STR) ||
	    (arg->is_symbolic && arg->type != MARKER_TYPE_S32))
		arg->role = MARKER_ROLE_REFUSED;
	return true;
}
EXPORT_SYMBOL_GPL(marker_arg_next);

void notrace marker_arg_spec(const struct marker_site *site, const struct marker_arg *arg,
			     char spec[MARKER_SPEC_MAX])
{
	const char *flags = site->format + arg->start + 1;
	char width[8] = "", precision[8] = "";
	int nflags = arg->nflags;

	if (arg->width_arg >= 0)
		strscpy(width, "*", sizeof(width));
	else if (arg->width >= 0)
		scnprintf(width, sizeof(width), "%d", arg->width);
	if (arg->precision_arg >= 0)
		strscpy(precision, ".*", sizeof(precision));
	else if (arg->precision >= 0)
		scnprintf(precision, sizeof(precision), ".%d", arg->precision);
	/* %px is written with all digits where it has no width. */
	if (!strcmp(arg->decode, "x") && !*width) {
		flags = "0";
		nflags = 1;
		scnprintf(width, sizeof(width), "%zu", 2 * sizeof(void *));
	}
	scnprintf(spec, MARKER_SPEC_MAX, "%%%.*s%s%s%s%c%s", nflags, flags, width, precision,
		  arg->length, arg->letter, arg->letter == 'p' ? arg->decode : "");
}
EXPORT_SYMBOL_GPL(marker_arg_spec);

static void notrace go_by_type(const struct marker_site *site, unsigned int n,
			       struct marker_arg *arg)
{
	enum marker_type type = marker_site_type(site, n);

	*arg = (struct marker_arg){
		.role = type < MARKER_TYPE_STR ? MARKER_ROLE_NUMBER :
			type == MARKER_TYPE_STR ? MARKER_ROLE_TEXT : MARKER_ROLE_POINTER,
		.type = type,
		.base = type == MARKER_TYPE_PTR ? 16 : 10,
		.index = n,
		.width_arg = MARKER_PLAN_NONE,
		.precision_arg = MARKER_PLAN_NONE,
		.width = MARKER_PLAN_NONE,
		.precision = MARKER_PLAN_NONE,
	};
}

void notrace marker_arg_find(const struct marker_site *site, unsigned int n,
			     struct marker_arg *arg)
{
	*arg = (struct marker_arg){ };
	while (arg->next <= n && marker_arg_next(site, arg))
		if (arg->index == n)
			return;
	go_by_type(site, n, arg);
}

/* Return the end of the word of "word=" or "word: " before @end; NULL: there is no word. */
static const char *behind_word(const char *start, const char *end)
{
	if (end > start && end[-1] == ' ')
		end--;
	return end > start && (end[-1] == '=' || end[-1] == ':') ? end - 1 : NULL;
}

/* Like behind_word(), in a message for people, such as "word %d", "word(%d" or "word = 0x%x". */
static const char *behind_word_of_message(const char *start, const char *end)
{
	if (end - start >= 2 && end[-2] == '0' && (end[-1] == 'x' || end[-1] == 'X'))
		end -= 2;
	while (end > start && strchr(" =:([<#\"'", end[-1]))
		end--;
	return end;
}

/* Programs that read trace events make structures of their fields. */
static bool is_keyword(const char *word, size_t len)
{
	static const char *const keywords[] = {
		"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
		"else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
		"register", "return", "short", "signed", "sizeof", "static", "struct", "switch",
		"typedef", "union", "unsigned", "void", "volatile", "while",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keywords); i++)
		if (keywords[i][0] == word[0] && !strncmp(keywords[i], word, len) &&
		    !keywords[i][len])
			return true;
	return false;
}

/* The name of the argument whose conversion begins at @end; not before @start. */
static void name_from(const struct marker_site *site, const char *start, const char *end,
		      char name[MARKER_ARG_NAME_MAX])
{
	bool is_message = site->kind == MARKER_GATE_DEBUG;
	const char *first;

	end = is_message ? behind_word_of_message(start, end) : behind_word(start, end);
	if (!end)
		return;
	first = end;
	while (first > start && marker_is_name_char(first[-1]))
		first--;
	/* Letters that are not ASCII belong to the word, which is no identifier then. */
	if (first > start && (first[-1] & 0x80))
		return;
	/* Names differ from names that are made of numbers, and from those of ftrace. */
	if (first == end || isdigit(*first) || end - first >= MARKER_ARG_NAME_MAX ||
	    !strncmp(first, "arg", 3) || !strncmp(first, "common_", 7) ||
	    is_keyword(first, end - first))
		return;
	memcpy(name, first, end - first);
	name[end - first] = '\0';
}

static bool name_is_taken(const char names[][MARKER_ARG_NAME_MAX], unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(names[i], names[n]))
			return true;
	return !strcmp(names[n], "line");
}

/* Return the name of argument @i if it describes the device of a debug site, else NULL. */
static const char *prefix_name(const struct marker_site *site, unsigned int i)
{
	static const char *const names[][2] = { { }, { "interface" }, { "driver", "device" } };

	return site->kind == MARKER_GATE_DEBUG && site->on < ARRAY_SIZE(names) && i < site->on ?
	       names[site->on][i] : NULL;
}

static void name_by_number(char name[MARKER_ARG_NAME_MAX], unsigned int i)
{
	BUILD_BUG_ON(MARKER_ARGS_MAX > 10);
	memcpy(name, "arg0", sizeof("arg0"));
	name[3] += i;
}

void marker_arg_names(const struct marker_site *site,
		      char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX])
{
	struct marker_arg arg = { };
	unsigned int i, behind = 0;

	for (i = 0; i < MARKER_ARGS_MAX; i++)
		names[i][0] = '\0';
	while (marker_arg_next(site, &arg) && arg.index < MARKER_ARGS_MAX) {
		if (prefix_name(site, arg.index))
			strscpy(names[arg.index], prefix_name(site, arg.index),
				MARKER_ARG_NAME_MAX);
		else
			name_from(site, site->format + behind, site->format + arg.start,
				  names[arg.index]);
		behind = arg.end;
	}
	for (i = 0; i < MARKER_ARGS_MAX; i++)
		if (!names[i][0] || name_is_taken(names, i))
			name_by_number(names[i], i);
}
EXPORT_SYMBOL_GPL(marker_arg_names);

static int refuse(const struct marker_site *site, const struct marker_arg *arg, const char *probe)
{
	pr_err("%s (%s:%u), format \"%s\": probe %s does not support \"%.*s\"\n", site->name,
	       site->file, site->line, site->format, probe, arg->end - arg->start,
	       site->format + arg->start);
	return -EOPNOTSUPP;
}

int marker_plan_make(struct marker_plan *plan, const struct marker_site *site,
		     const char *probe)
{
	struct marker_arg arg = { };
	unsigned int i;

	plan->nargs = marker_site_nargs(site);
	for (i = 0; i < plan->nargs; i++)
		go_by_type(site, i, &plan->args[i]);
	while (marker_arg_next(site, &arg)) {
		if (arg.next > plan->nargs)
			break;
		if (arg.role == MARKER_ROLE_REFUSED)
			return refuse(site, &arg, probe);
		plan->args[arg.index] = arg;
	}
	if (arg.next == plan->nargs)
		return 0;
	pr_err("%s (%s:%u), format \"%s\": probe %s finds conversions for %s than its %u arguments\n",
	       site->name, site->file, site->line, site->format, probe,
	       arg.next > plan->nargs ? "more" : "fewer", plan->nargs);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(marker_plan_make);
