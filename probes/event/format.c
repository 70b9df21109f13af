// SPDX-License-Identifier: GPL-2.0-only
/* Names and print formats of trace events.  Not here: anything that runs at a site. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "format.h"
#include "symbol.h"

/* True if libtraceevent prints this character of a string unchanged. */
static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '\\';
}

static char *make_line(const struct marker_site *site)
{
	size_t size = strlen(site->format) + 1 + MARKER_ARGS_MAX * strlen("0x%lx"), len = 0;
	char *text = kmalloc(size, GFP_KERNEL), *s;
	struct marker_arg arg = { };
	unsigned int behind = 0;

	if (!text)
		return NULL;
	while (marker_arg_next(site, &arg)) {
		if (arg.role != MARKER_ROLE_POINTER)
			continue;
		len += scnprintf(text + len, size - len, "%.*s0x%%lx", arg.start - behind,
				 site->format + behind);
		behind = arg.end;
	}
	scnprintf(text + len, size - len, "%s", site->format + behind);
	for (s = text; *s; s++)
		if (iscntrl(*s))
			*s = ' ';
	strim(text);
	return text;
}

/* The text, and the names behind it. */
static char *make_text(const struct marker_site *site, unsigned int nargs)
{
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	char *line = make_line(site), *text, *to;
	size_t size;
	unsigned int i;

	if (!line)
		return NULL;
	marker_arg_names(site, names);
	size = strlen(line) + 1;
	for (i = 0; i < nargs; i++)
		size += strlen(names[i]) + 1;
	text = kmalloc(size, GFP_KERNEL);
	if (text) {
		to = text + sprintf(text, "%s", line) + 1;
		for (i = 0; i < nargs; i++)
			to += sprintf(to, "%s", names[i]) + 1;
	}
	kfree(line);
	return text;
}

const char *marker_event_format_name(const struct marker_event_format *format, unsigned int i)
{
	const char *name = format->text + strlen(format->text) + 1;

	while (i--)
		name += strlen(name) + 1;
	return name;
}

/* Find the text between two conversions, from @start to @end. */
static void find_part(struct marker_event_format *format, unsigned int start, unsigned int end)
{
	while (start < end && is_plain(format->text[start]))
		start++;
	while (start < end && is_plain(format->text[end - 1]))
		end--;
	if (start < end)
		format->parts[format->nparts++] =
			(struct marker_event_part){ .start = start, .len = end - start };
}

static void find_parts(struct marker_event_format *format)
{
	const struct marker_site site = marker_event_format_site(format);
	struct marker_arg arg = { };
	unsigned int behind = 0;

	while (marker_arg_next(&site, &arg)) {
		find_part(format, behind, arg.start);
		behind = arg.end;
	}
	find_part(format, behind, strlen(format->text));
}

size_t marker_event_format_text_size(const struct marker_event_format *format)
{
	return marker_event_format_name(format, format->plan.nargs) - format->text;
}

const char *marker_event_format_part_name(unsigned int i)
{
	/* No argument is called so: plan.c keeps names that begin with "arg" to numbers. */
	static const char *const names[] = {
		"arg_text0", "arg_text1", "arg_text2", "arg_text3", "arg_text4", "arg_text5",
		"arg_text6", "arg_text7", "arg_text8",
	};

	BUILD_BUG_ON(ARRAY_SIZE(names) != MARKER_ARGS_MAX + 1);
	return names[i];
}

/* A print format: its string, and the arguments behind. */
struct print {
	const struct marker_event_format *format;
	unsigned int part;		/* the next one */
	size_t size, len, nargs;
	char *text, *args;
};

static __printf(2, 3) void add_text(struct print *print, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print->len += vscnprintf(print->text + print->len, print->size - print->len, fmt, args);
	va_end(args);
}

static __printf(2, 3) void add_arg(struct print *print, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print->nargs += vscnprintf(print->args + print->nargs, print->size - print->nargs, fmt,
				   args);
	va_end(args);
}

static void add_plain(struct print *print, unsigned int start, unsigned int end)
{
	const struct marker_event_format *format = print->format;
	const struct marker_event_part *part = &format->parts[print->part];

	while (start < end) {
		if (print->part < format->nparts && start == part->start) {
			add_text(print, "%%s");
			add_arg(print, ", REC->%s", marker_event_format_part_name(print->part++));
			start += part->len;
			continue;
		}
		add_text(print, "%s%c", format->text[start] == '"' ? "\\" : "",
			 format->text[start]);
		start++;
	}
}

static void add_symbols(struct print *print, const struct marker_arg *arg)
{
	struct marker_symbol symbol = { };

	add_arg(print, ", __print_symbolic(REC->%s",
		marker_event_format_name(print->format, arg->index));
	while (marker_symbol_next(print->format->text, arg, &symbol))
		add_arg(print, ", { 0x%x, \"%.*s\" }", symbol.value, symbol.length, symbol.name);
	add_arg(print, ")");
}

/*
 * Without "*", %c and the flags '+' and ' ', which libtraceevent does not have or, of a negative
 * width, runs wild.
 */
static void add_spec(struct print *print, const struct marker_arg *arg)
{
	const struct marker_site site = marker_event_format_site(print->format);
	char spec[MARKER_SPEC_MAX], *s;

	marker_arg_spec(&site, arg, spec);
	for (s = spec; *s; s++)
		if (!strchr("+ *", *s))
			add_text(print, "%c", *s == 'c' ? 'd' : *s);
}

static void add_value(struct print *print, const struct marker_arg *arg)
{
	const char *name = marker_event_format_name(print->format, arg->index);
	unsigned int bits = 8 * marker_event_type_size(arg->type);

	if (marker_arg_is_text(arg))
		add_arg(print, ", __get_str(%s)", name);
	else if (arg->role == MARKER_ROLE_BYTES)
		add_arg(print, ", __print_hex(REC->%s, %d)", name, arg->width);
	else if (arg->is_symbolic)
		add_symbols(print, arg);
	else if (arg->type == MARKER_TYPE_S8 || arg->type == MARKER_TYPE_S16)
		/* libtraceevent extends no sign below an int. */
		add_arg(print, ", REC->%s > %lu ? REC->%s - %lu : REC->%s", name,
			BIT(bits - 1) - 1, name, BIT(bits), name);
	else
		add_arg(print, ", REC->%s", name);
}

static void add_conversion(struct print *print, const struct marker_arg *arg)
{
	char width[8] = "";

	if (!marker_arg_has_text(arg) && !arg->is_symbolic) {
		add_spec(print, arg);
	} else {
		if (!arg->counts && arg->width >= 0)
			snprintf(width, sizeof(width), "%d", arg->width);
		add_text(print, "%%%s%ss", arg->left ? "-" : "", width);
	}
	add_value(print, arg);
}

static void write_print(struct print *print)
{
	const struct marker_site site = marker_event_format_site(print->format);
	struct marker_arg arg = { };
	unsigned int behind = 0;

	add_text(print, "\"");
	while (marker_arg_next(&site, &arg)) {
		add_plain(print, behind, arg.start);
		add_conversion(print, &arg);
		behind = arg.end;
	}
	add_plain(print, behind, strlen(site.format));
	add_text(print, "\"");
}

char *marker_event_format_print(const struct marker_event_format *format)
{
	/* A symbol is at least 11 characters of the format, and 12 more here. */
	size_t size = 3 * strlen(format->text) + 16 * ARRAY_SIZE(format->parts) +
		      MARKER_ARGS_MAX * (3 * MARKER_ARG_NAME_MAX + 48);
	struct print print = { .format = format, .size = size };
	char *all = NULL;

	print.text = kmalloc(size, GFP_KERNEL);
	print.args = kmalloc(size, GFP_KERNEL);
	if (print.text && print.args) {
		print.args[0] = '\0';
		write_print(&print);
		all = kasprintf(GFP_KERNEL, "%s%s", print.text, print.args);
	}
	kfree(print.text);
	kfree(print.args);
	return all;
}

int marker_event_format_parse(struct marker_event_format *format, const struct marker_site *site)
{
	int ret;

	*format = (struct marker_event_format){ .types = site->types };
	ret = marker_plan_make(&format->plan, site, "event");
	if (ret)
		return ret;
	format->text = make_text(site, format->plan.nargs);
	if (!format->text)
		return -ENOMEM;
	find_parts(format);
	return 0;
}

void marker_event_format_exit(struct marker_event_format *format)
{
	kfree(format->text);
}

bool marker_event_format_equal(const struct marker_event_format *a,
			       const struct marker_event_format *b)
{
	size_t size = marker_event_format_text_size(a);

	return a->types == b->types && size == marker_event_format_text_size(b) &&
	       !memcmp(a->text, b->text, size);
}
