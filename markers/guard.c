// SPDX-License-Identifier: GPL-2.0-only
/* Guards when events happen: which pass, and how many have. */
#include "fetch.h"
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
	unsigned long args[MARKER_ARGS_MAX] MARKER_NOT_CLEARED;

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

/* The guard of a leaf without a limit, whose condition is one comparison of @word. */
#define SIMPLE_GUARD(name, word)					\
static void notrace guard_##name(MARKER_PARAMS)				\
{									\
	const struct marker_guarded *behind = link->data;		\
									\
	if (marker_filter_test(&behind->fields.test, word))		\
		behind->link.func(&behind->link, site, a, b, c, d);	\
}

SIMPLE_GUARD(a, a)
SIMPLE_GUARD(b, b)
SIMPLE_GUARD(c, c)
SIMPLE_GUARD(d, d)
SIMPLE_GUARD(context, marker_context_read(behind->guard->filter.clauses[0].context))

static marker_fn *const simple_guards[MARKER_ARGS_REGS] = {
	guard_a, guard_b, guard_c, guard_d,
};

marker_fn *marker_guard_func(const struct marker_guard *guard,
			     const struct marker_filter_fields *fields)
{
	const struct marker_filter *filter = &guard->filter;

	if (!guard->limit && guard->leaf && !filter->nclauses)
		return NULL;
	if (guard->limit || !guard->leaf || !fields->is_simple)
		return marker_guard;
	if (filter->clauses[0].context >= 0)
		return guard_context;
	return simple_guards[fields->args[0]];
}
