// SPDX-License-Identifier: GPL-2.0-only
/* For a kernel that has the core built in: there modules register their rows. */
#include <linux/module.h>
#define MARKER_BENCH_GATES_HERE	/* this object is part of marker_gates.ko */
#include "bench_gates.h"
#include "registry.h"

static const struct marker_writer *writer;

static int __init gates_init(void)
{
	int ret;

	writer = marker_bench_writer_init();
	if (IS_ERR(writer))
		return PTR_ERR(writer);
	ret = marker_gates_register(MARKER_GATE_OPS, writer);
	if (ret)
		marker_bench_writer_exit();
	return ret;
}

static void __exit gates_exit(void)
{
	marker_gates_unregister(MARKER_GATE_OPS, writer);
	marker_bench_writer_exit();
}

module_init(gates_init);
module_exit(gates_exit);
