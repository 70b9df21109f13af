// SPDX-License-Identifier: GPL-2.0-only
/*
 * The switch of the markers of system calls.  While one of them is open all tasks pass by
 * where they are, as they do for tracepoints; else none of them sees a difference.
 */
#include <linux/marker.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/thread_info.h>

/* Context: marker_mutex. */
void marker_syscalls_switch(bool open)
{
	static unsigned int nr_open;
	struct task_struct *p, *t;

	if (open ? nr_open++ : --nr_open)
		return;
	read_lock(&tasklist_lock);
	for_each_process_thread(p, t) {
		if (open)
			set_task_syscall_work(t, SYSCALL_MARKER);
		else
			clear_task_syscall_work(t, SYSCALL_MARKER);
	}
	read_unlock(&tasklist_lock);
}
