// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of an architecture where one aligned store replaces an instruction while
 * other CPUs execute it: all are written, and one sync.  A CPU executes the old or the new
 * one, whichever it fetches: a gate that is open to it may still lead to the old call.  The
 * sync ends that.
 */
#include "writer.h"

static struct marker_text_alias alias;

static int begin(const struct marker_patch *patches, unsigned int n)
{
	return marker_text_map(&alias, patches, n);
}

static void quiet(const struct marker_patch *p, unsigned int n, bool alone,
		  struct marker_patch_stats *stats)
{
	marker_writer_write(&alias, p, n);
	if (alone)
		marker_writer_sync(stats);
}

static void live(const struct marker_patch *p, unsigned int n, struct marker_patch_stats *stats)
{
	marker_writer_write(&alias, p, n);
	marker_writer_sync(stats);
	if (marker_text_write_twice) {
		marker_writer_write(&alias, p, n);
		marker_text_sync();
		stats->settles++;
	}
}

static void finish(const struct marker_patch *p, unsigned int n)
{
}

static void end(void)
{
	marker_text_unmap(&alias);
}

static void leave(void)
{
}

const struct marker_writer marker_writer = {
	.begin = begin,
	.quiet = quiet,
	.live = live,
	.finish = finish,
	.end = end,
	.exit = leave,
};
