// SPDX-License-Identifier: GPL-2.0-only
/* Takes printk() formats apart.  Not here: anything that runs at a site. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/string.h>
#include "format.h"

/* A conversion: "%-5lld" has flags and width "-5" and the letter 'd'. */
struct conversion {
	const char *start;	/* the '%' */
	const char *flags;
	unsigned int nflags;	/* with width and precision */
	char letter;
	const char *end;
	bool stars;		/* takes a width or a precision from the arguments */
};

static bool is_name_char(char c)
{
	return isalnum(c) || c == '_';
}

/* The next conversion from @s on, or false. */
static bool next_conversion(const char *s, struct conversion *c)
{
	for (;; s += 2) {
		s = strchr(s, '%');
		if (!s || !s[1])
			return false;
		if (s[1] != '%')
			break;
	}
	*c = (struct conversion){ .start = s, .flags = s + 1 };
	s++;
	while (*s && strchr("-+ #0123456789.*", *s))
		c->stars |= *s++ == '*';
	c->nflags = s - c->flags;
	while (*s && strchr("hlLqjzt", *s))
		s++;
	c->letter = *s;
	c->end = *s ? s + 1 : s;
	/* What follows %p says how to write what lies behind the pointer. */
	while (c->letter == 'p' && isalnum(*c->end))
		c->end++;
	return true;
}

/* "word=" or "word: " in front of @end, not before @start. */
static void name_from(const char *start, const char *end, char *name)
{
	const char *first;

	if (end > start && end[-1] == ' ')
		end--;
	if (end == start || (end[-1] != '=' && end[-1] != ':'))
		return;
	first = --end;
	while (first > start && is_name_char(first[-1]))
		first--;
	if (first == end || isdigit(*first) || end - first >= FORMAT_NAME_MAX ||
	    !strncmp(first, "common_", 7))
		return;
	memcpy(name, first, end - first);
	name[end - first] = '\0';
}

static bool name_is_taken(const struct format *format, unsigned int n, const char *name)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(format->args[i].name, name))
			return true;
	return !strcmp(name, "line");
}

static bool name_args(struct format *format, const struct marker_site *site)
{
	const char *s = site->format;
	struct conversion c;
	bool stars = false;
	unsigned int i;

	for (i = 0; i < format->nargs; i++) {
		struct format_arg *arg = &format->args[i];
		bool found = !stars && next_conversion(s, &c);

		arg->type = marker_site_type(site, i);
		if (found) {
			name_from(s, c.start, arg->name);
			arg->is_string = c.letter == 's';
			stars = c.stars;
			s = c.end;
		}
		/* Names stay apart from those that others get by their number. */
		if (!*arg->name || name_is_taken(format, i, arg->name) ||
		    !strncmp(arg->name, "arg", 3))
			snprintf(arg->name, sizeof(arg->name), "arg%u", i);
	}
	return !stars && !next_conversion(s, &c);
}

/* Also for what is narrower than int: libtraceevent extends no sign otherwise. */
static const char *length_of(enum marker_type type)
{
	static const char *const lengths[] = { "hh", "h", "", "ll" };

	return lengths[ilog2(format_type_size(type))];
}

/* How an argument is written, without what its name is. */
static int write_arg(char *to, size_t size, const struct format_arg *arg,
		     const struct conversion *c)
{
	const char *letters = format_type_is_signed(arg->type) ? "d" : "u";

	if (arg->is_string)
		return scnprintf(to, size, "%%%.*ss", c ? c->nflags : 0, c ? c->flags : "");
	if (arg->type >= MARKER_TYPE_STR || (c && c->letter == 'p'))
		return scnprintf(to, size, "0x%%lx");
	if (c && strchr("diuxXoc", c->letter))
		return scnprintf(to, size, "%%%.*s%s%c", c->nflags, c->flags,
				 c->letter == 'c' ? "" : length_of(arg->type), c->letter);
	return scnprintf(to, size, "%%%s%s", length_of(arg->type), letters);
}

static bool write_as_marked(struct format *format, const char *s)
{
	size_t size = sizeof(format->text), len = 0;
	struct conversion c;
	unsigned int i;

	for (i = 0; i < format->nargs && next_conversion(s, &c); i++) {
		len += scnprintf(format->text + len, size - len, "%.*s", (int)(c.start - s), s);
		len += write_arg(format->text + len, size - len, &format->args[i], &c);
		s = c.end;
	}
	len += scnprintf(format->text + len, size - len, "%s", s);
	return len + 1 < size;
}

static void write_as_list(struct format *format)
{
	size_t size = sizeof(format->text), len = 0;
	unsigned int i;

	format->text[0] = '\0';
	for (i = 0; i < format->nargs; i++) {
		len += scnprintf(format->text + len, size - len, "%s%s=", i ? " " : "",
				 format->args[i].name);
		len += write_arg(format->text + len, size - len, &format->args[i], NULL);
	}
}

void format_parse(struct format *format, const struct marker_site *site)
{
	char *s;

	/* The longest list has to fit. */
	BUILD_BUG_ON(MARKER_ARGS_MAX * (FORMAT_NAME_MAX + 8) > sizeof(format->text));
	*format = (struct format){ .nargs = marker_site_nargs(site) };
	if (!name_args(format, site) || !write_as_marked(format, site->format))
		write_as_list(format);
	for (s = format->text; *s; s++)
		if (iscntrl(*s))
			*s = ' ';
	strim(format->text);
}

bool format_equal(const struct format *a, const struct format *b)
{
	return a->nargs == b->nargs && !memcmp(a->args, b->args, sizeof(a->args)) &&
	       !strcmp(a->text, b->text);
}
