// SPDX-License-Identifier: GPL-2.0-only
/*
 * Site and probe of the direct call.  They are in a file of their own, as the empty probe is,
 * so that the compiler makes the same function of both probes.
 */
#include "direct.h"

struct marker_site marker_bench_direct_site;

void notrace marker_bench_direct_probe(MARKER_PARAMS)
{
}

marker_fn *marker_bench_direct_pointer = marker_bench_direct_probe;
