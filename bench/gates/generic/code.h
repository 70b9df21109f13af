/* SPDX-License-Identifier: GPL-2.0-only */
/* The gates of this folder on an architecture without gates of code: all are the generic one. */
#ifndef BENCH_GATES_CODE_H
#define BENCH_GATES_CODE_H

#include "bench_gates.h"

#define MARKER_BENCH_GATE(name, NAME)					\
static __always_inline bool marker_gate_##name(const struct marker_site *site) \
{									\
	return marker_gate_generic(site);				\
}

MARKER_BENCH_GATES(MARKER_BENCH_GATE)
#undef MARKER_BENCH_GATE

#define marker_call_nop(site, ...)					\
do {									\
	if (marker_gate_generic(site))					\
		marker_call_pointer(site, ##__VA_ARGS__);		\
} while (0)

#endif
