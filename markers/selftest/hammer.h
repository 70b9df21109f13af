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

struct marker_hammer {
	const char *kind;
	const char *site;
	const char *place;		/* in a line, across a line or a page */
	unsigned int across;		/* number of the wrong bytes; 0: none */
	int (*run)(void);		/* 1 when the gate was open */
	struct marker_site *entry;
	struct marker_gate_state *gate;
	struct marker_gate_state flag;	/* in place of the gate of a site that has none */
	/*
	 * Even: the gate is stable, (phase / 2) & 1 says whether open.
	 * Odd: a change is under way.
	 */
	unsigned long phase;
	unsigned long runs;		/* runs of a stable gate */
	unsigned long wrong;
	bool stop;
};

extern struct marker_hammer marker_hammers[];
extern const unsigned int marker_nhammers;

/* Finds the gates in the registry.  -ENOENT: one is missing or misplaced. */
int marker_hammer_init(void);

/* One pass of the running thread: some thousand runs. */
void marker_hammer_pass(struct marker_hammer *h);

/*
 * Opens and closes the gate @toggles times in all, while marker_hammer_pass() is
 * called elsewhere, and leaves it closed.  The errors of marker_patch_apply().
 */
int marker_hammer_toggle(struct marker_hammer *h, unsigned long toggles,
			 struct marker_patch_stats *sum);

#endif
