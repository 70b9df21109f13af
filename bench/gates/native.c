// SPDX-License-Identifier: GPL-2.0-only
/* The rows of this folder in a program. */
#include <err.h>
#include "bench_gates.h"
#include "native.h"
#include "registry.h"

const struct marker_gate_ops *const marker_bench_gates = MARKER_GATE_OPS;

void marker_bench_gates_init(void)
{
	int ret = marker_gates_register(MARKER_GATE_OPS);

	if (ret)
		errx(1, "the gates of bench/gates are not accepted: %s", strerror(-ret));
}
