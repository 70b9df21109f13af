// SPDX-License-Identifier: GPL-2.0-only
/* Guards when events happen: which pass, and how many have. */
#include "guard.h"
#include "nesting.h"

void (*marker_guard_spent)(void);

/* True if a probe may be called here: until leave(), if it may. */
static __always_inline bool enter(struct marker_guard *guard)
{
	if (guard->leaf || marker_nesting_enter())
		return true;
	atomic_long_inc(&guard->nested);
	return false;
}

static __always_inline void leave(const struct marker_guard *guard)
{
	if (!guard->leaf)
		marker_nesting_leave();
}

/* Up to the limit.  Read first: the gates close a while after it is reached. */
static __always_inline void pass(const struct marker_guarded *behind, MARKER_PARAMS)
{
	struct marker_guard *guard = behind->guard;
	unsigned long n = 0;

	if (guard->limit) {
		if (marker_guard_is_spent(guard))
			return;
		n = atomic_long_inc_return(&guard->passed);
		if (n > guard->limit)
			return;
	}
	behind->link.func(&behind->link, site, a, b, c, d);
	if (guard->limit && n == guard->limit && marker_guard_spent)
		marker_guard_spent();
}

static void notrace marker_guard(MARKER_PARAMS)
{
	const struct marker_guarded *behind = link->data;
	struct marker_guard *guard = behind->guard;
	unsigned long args[MARKER_ARGS_MAX];

	/* Before entering, which disables preemption: a condition may ask for that. */
	if (guard->filter.nclauses) {
		marker_words_given(args, site, a, b, c, d);
		if (!marker_filter_match(&guard->filter, &behind->fields, site, args))
			return;
	}
	if (!enter(guard))
		return;
	pass(behind, link, site, a, b, c, d);
	leave(guard);
}

marker_fn *marker_guard_func(const struct marker_guard *guard)
{
	return guard->limit || guard->filter.nclauses || !guard->leaf ? marker_guard : NULL;
}
