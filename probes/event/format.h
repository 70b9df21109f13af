/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The print format of a marker's trace event, and the names of its fields: made of the plan of its
 * arguments once, when the marker is connected.
 */
#ifndef PROBES_EVENT_FORMAT_H
#define PROBES_EVENT_FORMAT_H

#include "marker_abi.h"
#include "plan.h"

/* A part of a text. */
struct marker_event_part {
	u16 start, len;
};

struct marker_event_format {
	u32 types;		/* types of the arguments, as in a site */
	/* Parts of @text that libtraceevent cannot read in a print format; records have them. */
	unsigned int nparts;
	struct marker_event_part parts[MARKER_ARGS_MAX + 1];
	/*
	 * As the site has it, on one line and without control characters; a plain pointer is a
	 * number in it (0x%lx).  The names of the arguments follow, each with its NUL.
	 */
	char *text;
	struct marker_plan plan;	/* last: see marker_event_format_size() */
};

/*
 * Bytes of a format as far as it is used: an event keeps no room for arguments that it does not
 * have.
 */
static inline size_t marker_event_format_size(const struct marker_event_format *format)
{
	return offsetof(struct marker_event_format, plan.args[format->plan.nargs]);
}

/* Bytes of its text, with the names behind it. */
size_t marker_event_format_text_size(const struct marker_event_format *format);

/* The name of argument @i. */
const char *marker_event_format_name(const struct marker_event_format *format, unsigned int i);

/* 0, -ENOMEM, or the errors of marker_plan_make().  May sleep. */
int marker_event_format_parse(struct marker_event_format *format, const struct marker_site *site);

/* The format's text as a site, for the functions of plan.h and marker_print(). */
static inline struct marker_site marker_event_format_site(const struct marker_event_format *format)
{
	return (struct marker_site){ .format = format->text, .types = format->types };
}

/*
 * The print format of the event: for libtraceevent, by which trace-cmd and perf print.  NULL: no
 * memory.
 */
char *marker_event_format_print(const struct marker_event_format *format);

/* The field that has part @i of the text. */
const char *marker_event_format_part_name(unsigned int i);

/* Free the memory that a format of marker_event_format_parse() points to. */
void marker_event_format_exit(struct marker_event_format *format);

bool marker_event_format_equal(const struct marker_event_format *a,
			       const struct marker_event_format *b);

/* Bytes that hold a value of the type. */
static inline unsigned int marker_event_type_size(enum marker_type type)
{
	return type >= MARKER_TYPE_STR ? sizeof(long) : 1u << ((type - MARKER_TYPE_S8) / 2);
}

#endif
