// SPDX-License-Identifier: GPL-2.0-only
/* Names and print formats of trace events.  Not here: anything that runs at a site. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "format.h"

static void takes(struct marker_event_format_print *print, int arg)
{
	if (arg >= 0)
		print->args[print->nargs++] = arg;
}

static size_t write_text(struct marker_event_format_print *print, const struct marker_arg *arg,
			 bool tools, char *to, size_t size)
{
	char width[8] = "";

	if (!arg->counts && arg->width >= 0)
		snprintf(width, sizeof(width), "%d", arg->width);
	if (!arg->counts && arg->width_arg >= 0 && !tools) {
		strscpy(width, "*", sizeof(width));
		takes(print, arg->width_arg);
	}
	takes(print, arg->index);
	return scnprintf(to, size, "%%%s%ss", arg->left ? "-" : "", width);
}

/* Drops what libtraceevent does not have. */
static void make_plain(char *spec)
{
	char *from, *to = spec;

	for (from = spec; *from; from++)
		if (!strchr("+ *", *from))
			*to++ = *from == 'c' ? 'd' : *from;
	*to = '\0';
}

static size_t write_arg(struct marker_event_format_print *print, const struct marker_site *site,
			const struct marker_arg *arg, bool tools, char *to, size_t size)
{
	char spec[MARKER_SPEC_MAX];

	if (arg->role == MARKER_ROLE_BYTES && !tools) {
		takes(print, arg->index);
		return scnprintf(to, size, "%%%dph", arg->width);
	}
	if (marker_arg_has_text(arg) || arg->is_symbolic)
		return write_text(print, arg, tools, to, size);
	if (arg->role == MARKER_ROLE_POINTER) {
		takes(print, arg->index);
		return scnprintf(to, size, "0x%%lx");
	}
	marker_arg_spec(site, arg, spec);
	if (tools) {
		make_plain(spec);
	} else {
		takes(print, arg->width_arg);
		takes(print, arg->precision_arg);
	}
	takes(print, arg->index);
	return scnprintf(to, size, "%s", spec);
}

static bool write_as_marked(const struct marker_event_format *format,
			    const struct marker_site *site, bool tools,
			    struct marker_event_format_print *print)
{
	size_t size = sizeof(print->text), len = 0;
	unsigned int i, behind = 0;

	for (i = 0; i < format->plan.nargs; i++) {
		const struct marker_arg *arg = &format->plan.args[i];

		if (!arg->end)
			continue;
		len += scnprintf(print->text + len, size - len, "%.*s", arg->start - behind,
				 site->format + behind);
		len += write_arg(print, site, arg, tools, print->text + len, size - len);
		behind = arg->end;
	}
	len += scnprintf(print->text + len, size - len, "%s", site->format + behind);
	return len + 1 < size;
}

static size_t write_plain_arg(const struct marker_arg *arg, bool tools, char *to, size_t size)
{
	if (arg->role == MARKER_ROLE_BYTES && !tools)
		return scnprintf(to, size, "%%%dph", arg->width);
	return scnprintf(to, size, "%s", marker_arg_has_text(arg) || arg->is_symbolic ? "%s" :
			 arg->base == 16 ? "0x%lx" :
			 marker_type_is_signed(arg->type) ? "%ld" : "%lu");
}

static void write_as_list(const struct marker_event_format *format, bool tools,
			  struct marker_event_format_print *print)
{
	size_t size = sizeof(print->text), len = 0;
	unsigned int i;

	*print = (struct marker_event_format_print){ };
	for (i = 0; i < format->plan.nargs; i++) {
		len += scnprintf(print->text + len, size - len, "%s%s=", i ? " " : "",
				 format->names[i]);
		len += write_plain_arg(&format->plan.args[i], tools, print->text + len, size - len);
		takes(print, i);
	}
}

static void write_print(const struct marker_event_format *format, const struct marker_site *site,
			bool tools, struct marker_event_format_print *print)
{
	char *s;

	/* The longest list has to fit. */
	BUILD_BUG_ON(MARKER_ARGS_MAX * (MARKER_ARG_NAME_MAX + 8) > sizeof(print->text));
	if (!write_as_marked(format, site, tools, print))
		write_as_list(format, tools, print);
	for (s = print->text; *s; s++)
		if (iscntrl(*s))
			*s = ' ';
	strim(print->text);
}

int marker_event_format_parse(struct marker_event_format *format, const struct marker_site *site)
{
	unsigned int i;
	int ret;

	*format = (struct marker_event_format){ };
	ret = marker_plan_make(&format->plan, site, "event");
	if (ret)
		return ret;
	for (i = 0; i < format->plan.nargs && !format->symbols; i++) {
		if (!format->plan.args[i].is_symbolic)
			continue;
		format->symbols = kstrdup(site->format, GFP_KERNEL);
		if (!format->symbols)
			return -ENOMEM;
	}
	marker_arg_names(site, format->names);
	write_print(format, site, false, &format->kernel);
	write_print(format, site, true, &format->tools);
	return 0;
}

void marker_event_format_exit(struct marker_event_format *format)
{
	kfree(format->symbols);
}

static bool arg_equal(const struct marker_arg *a, const struct marker_arg *b)
{
	return a->role == b->role && a->type == b->type && a->counts == b->counts &&
	       a->width == b->width && a->width_arg == b->width_arg &&
	       a->precision == b->precision && a->precision_arg == b->precision_arg &&
	       !strcmp(a->decode, b->decode);
}

bool marker_event_format_equal(const struct marker_event_format *a,
			       const struct marker_event_format *b)
{
	unsigned int i;

	if (a->plan.nargs != b->plan.nargs || strcmp(a->kernel.text, b->kernel.text) ||
	    strcmp(a->symbols ?: "", b->symbols ?: ""))
		return false;
	for (i = 0; i < a->plan.nargs; i++)
		if (!arg_equal(&a->plan.args[i], &b->plan.args[i]) ||
		    strcmp(a->names[i], b->names[i]))
			return false;
	return true;
}
