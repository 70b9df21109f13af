/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan of a marker's arguments: what each is for, as the format says.  The
 * one parser of printk() conversions; conditions and all probes go by it.
 *
 * A conversion takes one argument, and one more before it for each "*".
 */
#ifndef MARKERS_PLAN_H
#define MARKERS_PLAN_H

#include "env.h"
#include "marker_abi.h"

struct marker_decoder;

enum marker_role {
	MARKER_ROLE_NUMBER,	/* the word itself; also the argument of a "*" */
	MARKER_ROLE_POINTER,	/* %p, %pK: the word itself, an address */
	MARKER_ROLE_TEXT,	/* %s: the characters at an address */
	MARKER_ROLE_DECODED,	/* %pI4, %pS, ...: a text about what is at an address */
	MARKER_ROLE_REFUSED,	/* a conversion that cannot be observed */
};

/* No argument, width or precision. */
#define MARKER_PLAN_NONE (-1)

struct marker_arg {
	u8 role;			/* enum marker_role */
	u8 type;			/* enum marker_type */
	u8 base;			/* of a number or pointer: 8, 10, 16 */
	u8 index;			/* of the argument */
	u8 next;			/* index of the conversion behind, with its "*" */
	bool left;			/* the flag '-' */
	bool counts;			/* the width says how much is at the address */
	s8 width_arg;			/* arguments that are its width and precision, */
	s8 precision_arg;		/* or MARKER_PLAN_NONE */
	s16 width;			/* in the format, or MARKER_PLAN_NONE */
	s16 precision;
	u16 start, end;			/* the conversion in the format; both 0: a "*" */
	u8 nflags;			/* behind the '%' */
	char length[3];			/* "hh", "h", "" or "l" */
	char letter;
	char decode[12];		/* of MARKER_ROLE_DECODED: what follows "%p" */
	const struct marker_decoder *decoder;
};

struct marker_plan {
	unsigned int nargs;
	struct marker_arg args[MARKER_ARGS_MAX];
};

/*
 * The argument of the next conversion of @site's format; false: there is none.
 * @arg is zeroed before the first call.  Context: any.
 */
bool marker_arg_next(const struct marker_site *site, struct marker_arg *arg);

/* Argument @n of @site; one that the format does not name goes by its type. */
void marker_arg_find(const struct marker_site *site, unsigned int n, struct marker_arg *arg);

/*
 * The conversion of a number or pointer for printf(), which takes a machine word
 * and, if they are arguments, a width and a precision before it.  Context: any.
 */
#define MARKER_SPEC_MAX 24
void marker_arg_spec(const struct marker_site *site, const struct marker_arg *arg,
		     char spec[MARKER_SPEC_MAX]);

/*
 * 0; -EOPNOTSUPP when @site's format has a conversion that cannot be observed;
 * -EINVAL when it does not take as many arguments as the site has.  The log
 * names the conversion and @probe.  May sleep.
 */
int marker_plan_make(struct marker_plan *plan, const struct marker_site *site,
		     const char *probe);

/* Whether what an event says is a text, which fetch.h gets. */
static inline bool marker_arg_is_text(const struct marker_arg *arg)
{
	return arg->role == MARKER_ROLE_TEXT || arg->role == MARKER_ROLE_DECODED;
}

#endif
