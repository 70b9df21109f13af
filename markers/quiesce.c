// SPDX-License-Identifier: GPL-2.0-only
/* The wait for code that has left a site and may still be in its probe. */
#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "quiesce.h"

/* Without preemption it is synchronize_rcu(), which is enough there. */
#if defined(CONFIG_PREEMPTION) && !defined(CONFIG_TASKS_RCU)
#error "markers: found CONFIG_PREEMPTION without CONFIG_TASKS_RCU: no wait for tasks in probes"
#endif

static void pass(struct work_struct *work)
{
}

/*
 * Two waits, for two kinds of stragglers:
 *
 * - A task, preempted between site and probe or in the probe, runs on until
 *   it sleeps or returns to user space: synchronize_rcu_tasks() waits for
 *   each task to have done either.
 * - What cannot be preempted: interrupts, also those taken in idle, which
 *   rcu-tasks does not look at, and the idle tasks themselves.  A work item
 *   on each CPU runs when that CPU has left them.
 */
void quiesce(void)
{
	struct work_struct __percpu *works = alloc_percpu(struct work_struct);
	struct work_struct single;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct work_struct *work = works ? per_cpu_ptr(works, cpu) : &single;

		if (works)
			INIT_WORK(work, pass);
		else
			INIT_WORK_ONSTACK(work, pass);
		schedule_work_on(cpu, work);
		if (!works) {
			flush_work(work);
			destroy_work_on_stack(work);
		}
	}
	if (works)
		for_each_online_cpu(cpu)
			flush_work(per_cpu_ptr(works, cpu));
	cpus_read_unlock();
	free_percpu(works);
	synchronize_rcu_tasks();
}
