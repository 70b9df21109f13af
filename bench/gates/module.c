// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_gates.ko: the rows of the gates that exist only to be measured.  Load it
 * before modules that have such sites: marker_bench.ko, marker_test.ko, marker_hammer.ko.
 * They need it, so it stays as long as they do.
 *
 * It needs nothing of markers.ko, which finds the rows by their name as it finds the
 * sites of modules, whichever is loaded first.
 */
#include <linux/module.h>
#define MARKER_BENCH_GATES_HERE	/* this object is part of marker_gates.ko */
#include "bench_gates.h"
#include "gate.h"

const struct marker_gate_ops *const marker_bench_gates = MARKER_GATE_OPS;
EXPORT_SYMBOL_GPL(marker_bench_gates);

MODULE_DESCRIPTION("Gates that exist only to be measured");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
