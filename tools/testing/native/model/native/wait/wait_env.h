/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel functions for markers/quiesce.c on two CPUs; wait.c decides when work items run. */
#ifndef MODEL_WAIT_ENV_H
#define MODEL_WAIT_ENV_H

#include "env.h"

#define CPUS	2
#define HZ	100

struct work_struct {
	void (*func)(struct work_struct *work);
};

extern unsigned int cpus_locked;	/* so often; none comes or goes meanwhile */

struct completion {
	bool done;
};

/* No task is looked at: the list of all is empty. */
struct task_struct {
	char comm[16];
};

#define __percpu
#define DEFINE_PER_CPU(type, name)	type name[CPUS]
#define per_cpu_ptr(array, cpu)		(&(array)[cpu])
#define for_each_online_cpu(cpu)	for ((cpu) = 0; (cpu) < CPUS; (cpu)++)
#define for_each_possible_cpu		for_each_online_cpu
#define for_each_process_thread(group, task)				\
	for ((group) = (task) = NULL; (task); (task) = (group))
#define task_pid_nr(task)		0
#define task_cpu(task)			0
#define cpus_read_lock()		(cpus_locked++)
#define cpus_read_unlock()		(cpus_locked--)
#define rcu_read_lock()			((void)0)
#define rcu_read_unlock()		((void)0)
#define module_param_named(name, variable, type, mode)

#define COMPLETION_INITIALIZER(c)	{ false }
#define reinit_completion(c)		((c)->done = false)
#define complete_all(c)			((c)->done = true)
#define completion_done(c)		((c)->done)
#define wait_for_completion_timeout(c, timeout)	((void)(timeout), (c)->done)

#define atomic_dec_and_test(v)	(__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST) == 0)

#define INIT_WORK(work, function)	((work)->func = (function))
#define ANY_CPU				(-1)
#define queue_work(queue, work)		queue_work_on(ANY_CPU, queue, work)

struct workqueue_struct;

/* @where: a CPU, or ANY_CPU. */
void queue_work_on(int where, struct workqueue_struct *queue, struct work_struct *work);
void synchronize_rcu_tasks(void);

#endif
