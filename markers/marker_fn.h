/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The function that a site calls, and how it gets the arguments: the ABI between
 * instrumented code and probes.
 */
#ifndef MARKERS_MARKER_FN_H
#define MARKERS_MARKER_FN_H

#include "site.h"

/* Arguments that a site passes in registers; of more, the last of these is a pointer. */
#define MARKER_ARGS_REGS 4

/**
 * typedef marker_fn - what a site calls: a probe, or the dispatcher before several
 * @link: the link that the site has; its data is the probe's
 * @site: the site
 * @a: the first argument of the site, widened to a machine word as its own type says
 * @b: the second
 * @c: the third
 * @d: the fourth; of a site with more than four arguments the address of five words,
 *     which are the fourth to the eighth: marker_words() has them all in a row
 *
 * The one type of all probes.  They are called through pointers, and under kCFI or
 * FineIBT a call through a pointer of another type than the function's traps, so no
 * probe is cast to it and none is variadic.
 *
 * No parameter is on the stack.  A function may write to the stack where it has its
 * parameters (compilers do, for a call at its end), and a site with fewer arguments
 * sets up fewer: what a site has no argument for is undefined.
 *
 * Context: that of the site, with preemption as the site has it.
 */
typedef void marker_fn(const struct probe_link *link, const struct marker_site *site,
		       unsigned long a, unsigned long b, unsigned long c, unsigned long d);

/* The same parameters, for definitions. */
#define MARKER_PARAMS							\
	const struct probe_link *link, const struct marker_site *site,	\
	unsigned long a, unsigned long b, unsigned long c, unsigned long d

/*
 * What the call of a site passes to a probe: one probe as it is connected.
 * Constant once published; freed after a wait (dispatch.c).
 */
struct probe_link {
	marker_fn *func;
	void *data;		/* what the probe's attach() returned */
};

/**
 * marker_words - the arguments of a site as an array
 * @words: where to; past the last argument of the site they are undefined
 * @site: the site
 * @a: as the probe got it
 * @b: as the probe got it
 * @c: as the probe got it
 * @d: as the probe got it
 *
 * Context: any.
 */
static __always_inline void marker_words(unsigned long words[MARKER_ARGS_MAX],
					 const struct marker_site *site,
					 unsigned long a, unsigned long b,
					 unsigned long c, unsigned long d)
{
	const unsigned long *more = (const unsigned long *)d;
	unsigned int i;

	words[0] = a;
	words[1] = b;
	words[2] = c;
	words[3] = d;
	if (site->types >> (4 * MARKER_ARGS_REGS))
		for (i = MARKER_ARGS_REGS - 1; i < MARKER_ARGS_MAX; i++)
			words[i] = *more++;
}

#endif
