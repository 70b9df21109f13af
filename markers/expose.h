/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rule that says which markers are exposed: the kernel's trace events, which the
 * probe `event` makes of them, are there before anything is connected.
 *
 * Locks: marker_mutex, but not to make or free a rule.
 */
#ifndef MARKERS_EXPOSE_H
#define MARKERS_EXPOSE_H

#include "env.h"
#include "selector.h"

/* Number of exposed markers without a rule: those known longest. */
#define MARKER_EXPOSE_DEFAULT 1000

struct marker_expose_rule {
	char *words;			/* backs the selectors */
	unsigned int n;
	struct marker_selector selectors[];
};

/*
 * Make a rule of selectors separated by blanks; a rule without selectors exposes nothing.
 * ERR_PTR(-EINVAL), -ENOMEM.
 */
struct marker_expose_rule *marker_expose_make(const char *words);
void marker_expose_free(struct marker_expose_rule *rule);

/* Use @rule from now on, and own it. */
void marker_expose_set(struct marker_expose_rule *rule);

/* The rule; NULL: none was given. */
const struct marker_expose_rule *marker_expose_get(void);

#endif
