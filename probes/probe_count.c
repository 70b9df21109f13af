// SPDX-License-Identifier: GPL-2.0-only
/*
 * count [label=WORD]: counts events on each CPU, for sites of any format.  The
 * label does nothing; with one, a site may be counted for another connection, too.
 */
#include <linux/percpu.h>
#include "marker_probe.h"

static void *attach(const char *args)
{
	u64 __percpu *counts;

	if (args && (strncmp(args, "label=", 6) || !args[6] || strchr(args, ' ')))
		return ERR_PTR(-EINVAL);
	counts = alloc_percpu(u64);
	return counts ? (__force void *)counts : ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	free_percpu((u64 __percpu *)data);
}

static u64 hits(void *data)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr((u64 __percpu *)data, cpu);
	return sum;
}

static void show(void *data, struct marker_probe_rows *rows)
{
	u64 count;
	int cpu;

	marker_probe_row(rows, "events", hits(data), "-");
	for_each_possible_cpu(cpu) {
		count = *per_cpu_ptr((u64 __percpu *)data, cpu);
		if (count || cpu_online(cpu))
			marker_probe_row(rows, "cpu", count, "%d", cpu);
	}
}

static struct marker_probe probe = {
	.name = "count",
	.func = marker_count,
	.leaf = true,
	.attach = attach,
	.detach = detach,
	.hits = hits,
	.show = show,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "marker probe that counts events");
MODULE_VERSION(MARKERS_VERSION);
