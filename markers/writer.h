/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How instructions are replaced that CPUs may be executing.  One implementation an
 * architecture, linked in: rounds.c where a breakpoint has to stand there meanwhile,
 * one_store.c where one store does.
 */
#ifndef MARKERS_WRITER_H
#define MARKERS_WRITER_H

#include "patch.h"
#include "text.h"

/**
 * struct marker_writer - writes the patches of a transaction
 * @begin: before text is locked; no more than these @n patches will be written.  0; or an
 *	   error, and then nothing else is called
 * @quiet: writes what no CPU can be executing; @alone: no call of @live follows, so all CPUs
 *	   have to be synchronised
 * @live: writes what CPUs may be executing, by address, and returns when none executes the
 *	  old instructions any more.  All are split, or none is; while split ones are
 *	  written, text may be unlocked
 * @finish: all is written, and text is still locked; @p: what @live was given
 * @end: text is unlocked
 * @exit: no transaction will begin any more
 *
 * Context: one transaction at a time; all may sleep.  From @quiet to @finish,
 * marker_text_lock().
 */
struct marker_writer {
	int (*begin)(const struct marker_patch *patches, unsigned int n);
	void (*quiet)(const struct marker_patch *p, unsigned int n, bool alone,
		      struct marker_patch_stats *stats);
	void (*live)(const struct marker_patch *p, unsigned int n,
		     struct marker_patch_stats *stats);
	void (*finish)(const struct marker_patch *p, unsigned int n);
	void (*end)(void);
	void (*exit)(void);
};

extern const struct marker_writer marker_writer;

/* For those that write through an alias. */
static inline void marker_writer_write(struct marker_text_alias *alias,
				       const struct marker_patch *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		marker_text_write(alias, p[i].addr, p[i].new, p[i].len);
}

static inline void marker_writer_sync(struct marker_patch_stats *stats)
{
	stats->cpus = marker_text_sync();
	stats->rounds++;
}

#endif
