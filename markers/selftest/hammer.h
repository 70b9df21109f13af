/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hammer: one thread runs a gate without end, another one opens and closes
 * it; after each change, every run must take the way that the gate now shows.
 * The same test in the kernel (hammer_kernel.c) and in a program
 * (tools/native/hammer.c).
 */
#ifndef MARKERS_SELFTEST_HAMMER_H
#define MARKERS_SELFTEST_HAMMER_H

#include "env.h"
#include "patch.h"
#include "registry.h"

struct hammer {
	const char *kind;
	const char *site;
	const char *place;		/* in a line, across a line or a page */
	unsigned int across;		/* bytes: which of them; 0: none */
	int (*run)(void);		/* 1 when the gate was open */
	struct marker_site *entry;
	struct gate *gate;
	/*
	 * Even: the gate is stable, (phase / 2) & 1 says whether open.
	 * Odd: a change is under way.
	 */
	unsigned long phase;
	unsigned long runs;		/* of a stable gate */
	unsigned long wrong;
	bool stop;
};

extern struct hammer hammers[];
extern const unsigned int nhammers;

/* Finds the gates in the registry.  -ENOENT: one is missing or misplaced. */
int hammer_init(void);

/* One pass of the running thread: some thousand runs. */
void hammer_pass(struct hammer *h);

/*
 * Opens and closes the gate @toggles times in all, while hammer_pass() is
 * called elsewhere, and leaves it closed.  The errors of patch_apply().
 */
int hammer_toggle(struct hammer *h, unsigned long toggles, struct patch_stats *sum);

#endif
