/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table of the measurements: a case is one loop around one kind of site, at one place in a
 * cache line.  The cases of a shape (what the loop does besides) are the table of one
 * cases_*.c, and have a line of shapes.list; Documentation/add-a-case.md explains how to add
 * one.
 *
 * Not here: the code of a loop (loop.h), and its timing (run.c).
 */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "env.h"

/* State of the sites: no probe connected, or a probe. */
enum bench_state { BENCH_DISABLED, BENCH_ENABLED, BENCH_STATES };

static inline const char *bench_state_name(enum bench_state state)
{
	return state == BENCH_ENABLED ? "enabled" : "disabled";
}

struct bench_case {
	const char *shape;
	const char *variant;		/* gate of the sites, none, null...: a word of C */
	u32 loops[BENCH_STATES];	/* loops of a round; 0: not in that state */
	u16 sites;			/* per loop; "none" leaves them out */
	u16 layout;			/* below BENCH_LAYOUTS */
	void (*fn)(unsigned long loops);	/* @loops is not 0 */
	void (*before)(void);		/* before each timed call of @fn; NULL: nothing */
};

/* Places that each loop is tried at: layout n is n * 16 bytes into a line. */
#define BENCH_LAYOUTS 4

/*
 * Each shape has the variants "none", its double "null", and copies at other addresses, "null2"
 * and so on. Their differences are noise, or the effect of the address.
 */
struct bench_shape {
	const char *name;
	const struct bench_case *cases;
	unsigned int ncases;
};

#endif
