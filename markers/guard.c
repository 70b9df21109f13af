// SPDX-License-Identifier: GPL-2.0-only
/* Filters and limits, on the way from a site to a probe. */
#include "guard.h"

void (*guard_spent)(void);

void notrace marker_guard(MARKER_PARAMS)
{
	const struct guarded *behind = link->data;
	struct guard *guard = behind->guard;
	unsigned long args[MARKER_ARGS_MAX], n = 0;

	marker_words(args, site, a, b, c, d);
	if (!filter_match(&guard->filter, site, args))
		return;
	/* Read first: the gates close a while after the limit is reached. */
	if (guard->limit) {
		if (guard_is_spent(guard))
			return;
		n = atomic_long_inc_return(&guard->passed);
		if (n > guard->limit)
			return;
	}
	behind->link.func(&behind->link, site, a, b, c, d);
	if (guard->limit && n == guard->limit && guard_spent)
		guard_spent();
}
