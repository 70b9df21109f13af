/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A journal of what a file of the kernel modules asks the kernel for, in a program. The functions
 * of the kernel are written here as notes; the program then looks whether what has to wait did
 * wait.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdlib.h>
#include "env.h"

static struct {
	const char *what;
	const void *of;
} order_notes[10000];
static unsigned int order_n, order_tests, order_failed;

static inline void order_note(const char *what, const void *of)
{
	if (order_n == ARRAY_SIZE(order_notes))
		abort();
	order_notes[order_n].what = what;
	order_notes[order_n++].of = of;
}

static inline void order_forget(void)
{
	order_n = 0;
}

/* Return the place of the first such note from @from on, or -1. NULL: of anything. */
static inline int order_find(const char *what, const void *of, int from)
{
	for (; from >= 0 && from < (int)order_n; from++)
		if (!strcmp(order_notes[from].what, what) && (!of || order_notes[from].of == of))
			return from;
	return -1;
}

static inline unsigned int order_count(const char *what, const void *of)
{
	unsigned int n = 0;
	int at = -1;

	while ((at = order_find(what, of, at + 1)) >= 0)
		n++;
	return n;
}

/* True if each @then of @of has a @first, and no @then comes before one. */
static inline bool order_is(const char *first, const void *of_first, const char *then,
			    const void *of)
{
	int at = order_find(first, of_first, 0);

	return at >= 0 && order_find(then, of, at) >= 0 && order_find(then, of, 0) > at;
}

static inline void order_expect(bool holds, const char *text)
{
	unsigned int i;

	order_tests++;
	printf("%s %u - %s\n", holds ? "ok" : "not ok", order_tests, text);
	if (holds)
		return;
	order_failed++;
	for (i = 0; i < order_n; i++)
		printf("# %s %p\n", order_notes[i].what, order_notes[i].of);
}

static inline int order_end(void)
{
	printf("1..%u\n", order_tests);
	return order_failed || !order_tests;
}

/* Mutexes: which ones are held. */

static const char *order_held[8];

static inline bool order_holds(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(order_held); i++)
		if (order_held[i] && !strcmp(order_held[i], name))
			return true;
	return false;
}

static inline void order_lock(const char *name)
{
	unsigned int i = 0;

	if (order_holds(name))
		order_expect(false, name);
	while (order_held[i])
		i++;
	order_held[i] = name;
	order_note("lock", name);
}

static inline void order_unlock(const char *name)
{
	unsigned int i = 0;

	while (i < ARRAY_SIZE(order_held) && (!order_held[i] || strcmp(order_held[i], name)))
		i++;
	if (i == ARRAY_SIZE(order_held))
		order_expect(false, name);
	else
		order_held[i] = NULL;
	order_note("unlock", name);
}

#undef mutex_lock
#undef mutex_unlock
#define mutex_lock(m) ((void)(m), order_lock(#m))
#define mutex_unlock(m) ((void)(m), order_unlock(#m))
#undef lockdep_assert_held
#define lockdep_assert_held(m)                            \
	do {                                              \
		if (!order_holds(#m))                     \
			order_expect(false, "held: " #m); \
	} while (0)

#endif
