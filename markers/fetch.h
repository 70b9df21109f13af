/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The texts of an event, read where it happens.  Pointers of a site are not
 * trusted: what cannot be read is "(efault)", NULL is "(null)", as printk() has
 * it, and so is an address of user space.
 *
 * Context of all: any, NMI included.  @words: the arguments of the site, a
 * machine word each.  No text is longer than MARKER_TEXT_MAX; a longer one is
 * cut.  All return the length without the NUL, which is always written; @size
 * is at least 1.
 */
#ifndef MARKERS_FETCH_H
#define MARKERS_FETCH_H

#include "plan.h"

#define MARKER_TEXT_MAX 256u	/* with its NUL */

/* The text of an argument, for which marker_arg_is_text(). */
unsigned int marker_fetch_text(const struct marker_arg *arg, const unsigned long *words,
			       char *to, unsigned int size);

/* The whole event, as printk() would write it with the format of @site. */
unsigned int marker_print(const struct marker_site *site, const unsigned long *words,
			  char *to, unsigned int size);

#endif
