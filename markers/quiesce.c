// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wait for code that has left a site and may still be in its probe.
 *
 * Two waits run at the same time:
 *
 * - A task that was preempted between site and probe or in the probe continues until
 *   it sleeps or returns to user space.  synchronize_rcu_tasks() waits until
 *   each task has done so.
 * - Some code cannot be preempted: interrupts, also those in idle tasks, which
 *   rcu-tasks ignores, and the idle tasks themselves.  A work item
 *   on each CPU runs when that CPU has left such code.  The work item of a CPU that goes
 *   offline meanwhile runs on another CPU; the offline CPU has left such code, too.
 *
 * Both waits are work items (work.h), so that a caller can stop waiting.
 *
 * Locks: none; callers begin a wait when the one before has ended.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include "quiesce.h"
#include "work.h"

/* Without preemption it is synchronize_rcu(), which is enough there. */
#if defined(CONFIG_PREEMPTION) && !defined(CONFIG_TASKS_RCU)
#error "markers: found CONFIG_PREEMPTION without CONFIG_TASKS_RCU: no wait for tasks in probes"
#endif

static unsigned int limit_s = 10;
module_param_named(wait, limit_s, uint, 0644);
MODULE_PARM_DESC(wait, "seconds to wait for probes to return (10)");

void (*marker_quiesce_late)(void);

struct grace;

struct visit {
	struct work_struct work;
	struct grace *grace;
	bool awaited;
};

struct grace {
	struct visit __percpu *visits;
	struct work_struct tasks;
	atomic_t left;			/* work items, and code that queues them */
	struct completion ended;
	bool late;			/* a waiter has given up */
};

static DEFINE_PER_CPU(struct visit, probe_visits);
static DEFINE_PER_CPU(struct visit, text_visits);

static struct grace of_probes = {
	.visits = &probe_visits,
	.ended = COMPLETION_INITIALIZER(of_probes.ended),
};

static struct grace of_text = {
	.visits = &text_visits,
	.ended = COMPLETION_INITIALIZER(of_text.ended),
};

static void arrive(struct grace *grace)
{
	if (!atomic_dec_and_test(&grace->left))
		return;
	complete_all(&grace->ended);
	/* Pairs with that in wait_for(): one of the two sees the other. */
	smp_mb();
	if (READ_ONCE(grace->late) && marker_quiesce_late)
		marker_quiesce_late();
}

static void visit(struct work_struct *work)
{
	struct visit *visit = container_of(work, struct visit, work);

	WRITE_ONCE(visit->awaited, false);
	arrive(visit->grace);
}

static void wait_for_tasks(struct work_struct *work)
{
	synchronize_rcu_tasks();
	arrive(container_of(work, struct grace, tasks));
}

static void begin(struct grace *grace)
{
	int cpu;

	reinit_completion(&grace->ended);
	grace->late = false;
	atomic_set(&grace->left, 2);
	INIT_WORK(&grace->tasks, wait_for_tasks);
	queue_work(marker_work_queue, &grace->tasks);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct visit *next = per_cpu_ptr(grace->visits, cpu);

		INIT_WORK(&next->work, visit);
		next->grace = grace;
		next->awaited = true;
		atomic_inc(&grace->left);
		queue_work_on(cpu, marker_work_queue, &next->work);
	}
	cpus_read_unlock();
	arrive(grace);
}

#ifdef CONFIG_TASKS_RCU
static bool is_awaited(const struct task_struct *task)
{
	return READ_ONCE(task->rcu_tasks_holdout);
}
#else
static bool is_awaited(const struct task_struct *task)
{
	return false;
}
#endif

static void report(const struct grace *grace)
{
	struct task_struct *group, *task;
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(grace->visits, cpu)->awaited))
			pr_warn("probes may still run after %u s: CPU %d has not scheduled\n",
				limit_s, cpu);
	rcu_read_lock();
	for_each_process_thread(group, task)
		if (is_awaited(task))
			pr_warn("probes may still run after %u s: task %s (%d) on CPU %u has not slept\n",
				limit_s, task->comm, task_pid_nr(task), task_cpu(task));
	rcu_read_unlock();
}

static int wait_for(struct grace *grace)
{
	if (wait_for_completion_timeout(&grace->ended, (unsigned long)max(limit_s, 1u) * HZ))
		return 0;
	WRITE_ONCE(grace->late, true);
	/* Pairs with that in arrive(). */
	smp_mb();
	if (completion_done(&grace->ended))
		return 0;
	report(grace);
	return -ETIMEDOUT;
}

void marker_quiesce_begin(void)
{
	begin(&of_probes);
}

int marker_quiesce_wait(void)
{
	return wait_for(&of_probes);
}

void marker_quiesce(void)
{
	begin(&of_text);
	while (wait_for(&of_text))
		;
}
