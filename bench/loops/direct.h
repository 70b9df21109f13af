/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The peer of an enabled site: an unconditional direct call of a function that does the same as
 * the empty probe. direct_call.h has the call.
 */
#ifndef BENCH_DIRECT_H
#define BENCH_DIRECT_H

#include "marker_args.h"

/* In no section table, so that no gate and no probe comes to it. */
extern struct marker_site marker_bench_direct_site;

marker_fn marker_bench_direct_probe;

/* Pointer to the same function, for calls that are not direct. */
extern marker_fn *marker_bench_direct_pointer;

#endif
