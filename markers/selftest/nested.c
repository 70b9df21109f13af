// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_nested.ko: the probe "nested", which makes an event itself, and one in an interrupt
 * that it waits for: nested_inside, beside a pr_debug(), and nested_interrupt.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include "marker.h"
#include "marker_probe.h"

#define WAIT_US		1000000u

struct nested {
	atomic_long_t hits;
};

static void notrace interrupt(struct irq_work *work)
{
	MARK(nested_interrupt, "%d", raw_smp_processor_id());
}

static DEFINE_PER_CPU(struct irq_work, works);

static void notrace nested(MARKER_PARAMS)
{
	struct irq_work *work = this_cpu_ptr(&works);
	struct nested *counted = link->data;
	unsigned int us;

	atomic_long_inc(&counted->hits);
	MARK(nested_inside, "%d", raw_smp_processor_id());
	pr_debug("inside, on CPU %d\n", raw_smp_processor_id());
	if (!in_task() || irqs_disabled())
		return;
	irq_work_queue(work);
	for (us = 0; us < WAIT_US && irq_work_is_busy(work); us++)
		udelay(1);
}

static void *attach(const char *args)
{
	return kzalloc(sizeof(struct nested), GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	kfree(data);
}

static u64 hits(void *data)
{
	return atomic_long_read(&((struct nested *)data)->hits);
}

static struct marker_probe probe = {
	.name = "nested",
	.func = nested,
	.attach = attach,
	.detach = detach,
	.hits = hits,
	.owner = THIS_MODULE,
};

static int __init nested_init(void)
{
	struct irq_work *work;
	int cpu;

	for_each_possible_cpu(cpu) {
		work = per_cpu_ptr(&works, cpu);
		*work = IRQ_WORK_INIT_HARD(interrupt);
	}
	return marker_probe_register(&probe);
}

static void __exit nested_exit(void)
{
	marker_probe_unregister(&probe);
}

module_init(nested_init);
module_exit(nested_exit);
MODULE_DESCRIPTION("a probe that makes events itself, for the tests of markers.ko");
MODULE_LICENSE("GPL");
