/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to running text: a writable alias of it, a barrier for all CPUs, and
 * the way a breakpoint reaches patch_trap().  One implementation a place to
 * run: arch/<arch>/text.c in the kernel, tools/native/text.c in a program.
 */
#ifndef MARKERS_TEXT_H
#define MARKERS_TEXT_H

#include "env.h"

struct patch;

/* Opaque but for its size: a writable view of the pages of some patches. */
struct text_alias {
	void *map;
	unsigned long *pages;	/* page addresses of the text, ascending */
	unsigned int npages;
	unsigned int last;	/* the page written last */
};

/*
 * Maps the text of @patches.
 * 0, -ENOMEM, or -EFAULT when there is no such text.  May sleep.
 */
int text_map(struct text_alias *alias, const struct patch *patches, unsigned int n);
void text_unmap(struct text_alias *alias);

/* Writes @len bytes; one alone, in a single store. */
void text_write(struct text_alias *alias, u8 *addr, const u8 *bytes,
		unsigned int len);

/*
 * Returns when every CPU has executed a core-serialising instruction since
 * the call began, so that none runs bytes fetched before.  A CPU that comes up
 * later has fetched nothing yet.  The number of CPUs interrupted.
 * Context: task, interrupts on.
 */
unsigned int text_sync(void);

/* Logs that the bytes at a patch are not its old ones, and shows both. */
void text_report(const struct patch *patch);

/*
 * Whether bytes must be written twice (emulators; see text.c), which makes
 * one more sync for each.
 */
extern bool text_settle;

/*
 * Between text_map() and text_unmap(): returns when nobody is any more between
 * two instructions of a gate whose first byte is a breakpoint.  Sleeps.
 */
void text_quiesce(void);

int text_init(void);
void text_exit(void);

#endif
