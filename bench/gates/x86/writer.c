// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a kernel that has the core built in: its functions for text can write NOPs, jumps and
 * calls only, so the gates of this folder come with the writer of markers.ko.  The core
 * holds the locks meanwhile.
 */
#include <linux/err.h>
#define MARKER_BENCH_GATES_HERE	/* this object is part of marker_gates.ko */
#include "bench_gates.h"
#include "text_alias.h"
#include "writer.h"

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	return marker_text_alias_map(alias, patches, n);
}

const struct marker_writer *marker_bench_writer_init(void)
{
	int ret = marker_trap_init();

	return ret ? ERR_PTR(ret) : &marker_writer;
}

void marker_bench_writer_exit(void)
{
	marker_trap_exit();
	marker_writer.exit();
}
