/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces instructions that CPUs may be executing. Each architecture links one implementation:
 * rounds.c where a breakpoint is needed meanwhile, one_store.c where one store is enough.
 */
#ifndef MARKERS_WRITER_H
#define MARKERS_WRITER_H

#include "patch.h"
#include "text.h"

/**
 * struct marker_writer - functions that write the patches of a transaction
 * @begin: called before text is locked; at most these @n patches will be written.  0; or an
 *	   error, and then nothing else is called
 * @quiet: writes text that no CPU can be executing; @alone: no call of @live follows, so all CPUs
 *	   have to be synchronised
 * @live: writes text that CPUs may be executing, by address, and returns when no CPU executes the
 *	  old instructions any more.  All patches are split, or none is; while split ones are
 *	  written, text may be unlocked
 * @finish: called after all writes, with text still locked; @p: as for @live
 * @end: called after text has been unlocked
 * @exit: called when no transaction will begin any more
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

/* Write @bytes through an alias, for writers that use one. */
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
