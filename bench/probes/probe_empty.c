// SPDX-License-Identifier: GPL-2.0-only
/*
 * empty: does nothing, for sites of the thread's marker, to measure the cost of calling a probe
 * and returning.
 */
#include "marker_probe.h"

static void notrace empty(MARKER_PARAMS)
{
}

static struct marker_probe probe = {
	.name = "empty",
	.format = "%d %p",
	.func = empty,
	.leaf = true,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "marker probe that does nothing");
MODULE_VERSION(MARKERS_VERSION);
