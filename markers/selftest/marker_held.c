// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_held.ko: holds the work items of markers.ko, which is loaded before it and unloaded
 * before it.
 *
 *	ms	each work item sleeps so long before it runs
 *	late_ms	the report that a wait has ended late sleeps so long before it queues one
 *	held	work items that are held now
 *	others	work items that were not queued on the one workqueue of the module
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "quiesce.h"

#define MOST 64

static unsigned int ms, late_ms;
module_param(ms, uint, 0644);
MODULE_PARM_DESC(ms, "milliseconds that each work item sleeps before it runs");
module_param(late_ms, uint, 0644);
MODULE_PARM_DESC(late_ms, "milliseconds that the report of a late end sleeps");
static unsigned int held, others;
module_param(held, uint, 0444);
module_param(others, uint, 0444);

/* Function of each held work item.  Locks: lock, which any context may take. */
static struct {
	struct work_struct *work;
	work_func_t func;
} items[MOST];
static struct workqueue_struct *kernels, *own;
static DEFINE_RAW_SPINLOCK(lock);

static void (*report_late)(void);

/* Return the place of @work, or the first free place; the last place is never used. */
static unsigned int place_of(const struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < MOST - 1 && items[i].work && items[i].work != work; i++)
		;
	return i;
}

/*
 * The work item keeps this function, because code that waits for a work item compares the
 * function, too.
 */
static void hold(struct work_struct *work)
{
	unsigned long flags;
	work_func_t func;

	msleep(ms);
	raw_spin_lock_irqsave(&lock, flags);
	func = items[place_of(work)].func;
	raw_spin_unlock_irqrestore(&lock, flags);
	func(work);
	raw_spin_lock_irqsave(&lock, flags);
	held--;
	raw_spin_unlock_irqrestore(&lock, flags);
}

static void learn(struct work_struct *work)
{
}

static DECLARE_WORK(learning, learn);

/* Locks: lock. */
static void see(struct workqueue_struct *queue, struct work_struct *work)
{
	unsigned int place = place_of(work);

	own = own ?: queue;
	others += queue != own || queue == kernels;
	if (place == MOST - 1)
		return;
	if (work->func != hold)
		items[place].func = work->func;
	items[place].work = work;
	work->func = hold;
	held++;
}

static bool is_of_markers(work_func_t func)
{
	char symbol[KSYM_SYMBOL_LEN];

	if (func == hold)
		return true;
	sprint_symbol_no_offset(symbol, (unsigned long)func);
	return strstr(symbol, "[markers]");
}

static int on_queue(struct kprobe *p, struct pt_regs *regs)
{
	struct workqueue_struct *queue = (void *)regs_get_kernel_argument(regs, 1);
	struct work_struct *work = (void *)regs_get_kernel_argument(regs, 2);
	unsigned long flags;

	if (work == &learning)
		kernels = queue;
	if (!is_of_markers(work->func) || work_pending(work))
		return 0;
	raw_spin_lock_irqsave(&lock, flags);
	see(queue, work);
	raw_spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static struct kprobe probe = { .symbol_name = "queue_work_on", .pre_handler = on_queue };

static void report_later(void)
{
	msleep(late_ms);
	report_late();
}

static int __init held_init(void)
{
	/* Not linked, which would pin markers.ko. */
	void (**late)(void) = __symbol_get("marker_quiesce_late");
	int ret = late ? register_kprobe(&probe) : -ENOENT;

	if (!ret) {
		schedule_work(&learning);
		flush_work(&learning);
		report_late = *late;
		*late = report_later;
	}
	if (late)
		__symbol_put("marker_quiesce_late");
	return ret;
}

static void __exit held_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(held_init);
module_exit(held_exit);
MODULE_DESCRIPTION("holds work items, for the tests of markers.ko");
MODULE_LICENSE("GPL");
