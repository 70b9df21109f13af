// SPDX-License-Identifier: GPL-2.0-only
/* Filters and limits, on the way from a site to a probe. */
#include "guard.h"

void (*guard_spent)(void);

void notrace marker_guard(const struct probe_link *link, const struct marker_site *site,
			  unsigned long a, unsigned long b, unsigned long c,
			  unsigned long d, unsigned long e, unsigned long f,
			  unsigned long g, unsigned long h)
{
	const struct guarded *behind = link->data;
	struct guard *guard = behind->guard;
	/* Past the site's last argument they are anything, and not looked at. */
	const unsigned long args[MARKER_ARGS_MAX] = { a, b, c, d, e, f, g, h };
	unsigned long n = 0;

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
	behind->link.func(&behind->link, site, a, b, c, d, e, f, g, h);
	if (guard->limit && n == guard->limit && guard_spent)
		guard_spent();
}
