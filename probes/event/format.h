/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the trace event of a marker is printed, and what its fields are called:
 * made of the plan of its arguments once, when the marker is connected.
 */
#ifndef PROBES_EVENT_FORMAT_H
#define PROBES_EVENT_FORMAT_H

#include "plan.h"
#include "marker_abi.h"

/*
 * A format of printf(): as the marker's, but that each text is a %s, cut to its
 * precision before, so is the name of a value, and a plain pointer is a number (0x%lx).
 * Bytes are a %Nph for the kernel, a %s for tools.  One line.
 */
struct marker_event_format_print {
	char text[384];
	/* The arguments that it takes: texts as pointers, others as machine words. */
	u8 args[MARKER_ARGS_MAX];
	unsigned int nargs;
};

struct marker_event_format {
	struct marker_plan plan;
	char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX];
	struct marker_event_format_print kernel;
	/*
	 * For libtraceevent, which trace-cmd and perf print by: without "*", %c and the
	 * flags '+' and ' ', which it does not have or, of a negative width, runs wild.
	 */
	struct marker_event_format_print tools;
	char *symbols;		/* a copy of the site's format if an argument is symbolic */
};

/* 0, -ENOMEM, or the errors of marker_plan_make().  May sleep. */
int marker_event_format_parse(struct marker_event_format *format, const struct marker_site *site);

/* What it has beside itself. */
void marker_event_format_exit(struct marker_event_format *format);

bool marker_event_format_equal(const struct marker_event_format *a,
			       const struct marker_event_format *b);

static inline bool marker_event_format_is_text(const struct marker_event_format *format,
					       unsigned int i)
{
	return marker_arg_is_text(&format->plan.args[i]);
}

static inline bool marker_event_format_is_bytes(const struct marker_event_format *format,
						unsigned int i)
{
	return format->plan.args[i].role == MARKER_ROLE_BYTES;
}

/* Bytes that hold a value of the type. */
static inline unsigned int marker_event_type_size(enum marker_type type)
{
	return type >= MARKER_TYPE_STR ? sizeof(long) : 1u << ((type - MARKER_TYPE_S8) / 2);
}

#endif
