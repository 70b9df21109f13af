/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a marker's format says of its arguments, taken apart once, when the
 * marker is connected: how each is written, and what it may be called.
 *
 * An argument is called by the word that stands before it as "word=%d" or
 * "word: %d", else "argN", N from 0.
 */
#ifndef PROBES_FORMAT_H
#define PROBES_FORMAT_H

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/types.h>
#include "site.h"

#define FORMAT_NAME_MAX 32

struct format_arg {
	enum marker_type type;
	bool is_string;			/* to be read behind the pointer, up to a NUL */
	char name[FORMAT_NAME_MAX];
};

struct format {
	unsigned int nargs;
	struct format_arg args[MARKER_ARGS_MAX];
	/*
	 * A format of printf() for the arguments as machine words, in their
	 * order: as the marker's, but that a pointer is a number (0x%lx) and no
	 * argument is behind one unless is_string.  One line.
	 */
	char text[384];
};

/* Never fails: what it does not understand it gives as "name=value". */
void format_parse(struct format *format, const struct marker_site *site);

bool format_equal(const struct format *a, const struct format *b);

static inline bool format_type_is_signed(enum marker_type type)
{
	return type == MARKER_TYPE_S8 || type == MARKER_TYPE_S16 ||
	       type == MARKER_TYPE_S32 || type == MARKER_TYPE_S64;
}

/* Bytes that hold a value of the type. */
static inline unsigned int format_type_size(enum marker_type type)
{
	return type >= MARKER_TYPE_STR ? sizeof(long) : 1u << ((type - MARKER_TYPE_S8) / 2);
}

/* What is to be read for a string: as printk() does where there is none. */
static inline const char *format_string(unsigned long word)
{
	if (!word)
		return "(null)";
	return word < PAGE_SIZE || IS_ERR_VALUE(word) ? "(efault)" : (const char *)word;
}

#endif
