// SPDX-License-Identifier: GPL-2.0-only
/* For a kernel that has the core built in: there modules register their rows. */
#include <linux/module.h>
#include "bench_gates.h"
#include "registry.h"

static int __init gates_init(void)
{
	return marker_gates_register(MARKER_GATE_OPS);
}

static void __exit gates_exit(void)
{
	marker_gates_unregister(MARKER_GATE_OPS);
}

module_init(gates_init);
module_exit(gates_exit);
