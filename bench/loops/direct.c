// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the direct call passes and calls.  In a file of its own, as the empty
 * probe is, so that the compiler makes the same function of both.
 */
#include "direct.h"

struct marker_site direct_site;

void notrace direct_probe(MARKER_PARAMS)
{
}

marker_fn *direct_pointer = direct_probe;
