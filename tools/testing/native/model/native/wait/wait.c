// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wait of markers/quiesce.c ends when synchronize_rcu_tasks() has returned and a work
 * item has run on each CPU, whichever is last; and not before.  Prints TAP.
 */
#include "quiesce.h"
#include "wait_env.h"

#define ITEMS	(CPUS + 1)

static struct {
	int where;
	struct work_struct *work;
} queued[ITEMS + 1];
static unsigned int n_queued, n_tasks, n_late, n_unlocked, number, failed;
struct workqueue_struct *marker_work_queue;
unsigned int cpus_locked;

void queue_work_on(int where, struct workqueue_struct *queue, struct work_struct *work)
{
	if (n_queued > ITEMS)
		abort();
	n_unlocked += where >= 0 && !cpus_locked;
	queued[n_queued].where = where;
	queued[n_queued++].work = work;
}

void synchronize_rcu_tasks(void)
{
	n_tasks++;
}

static void note_late(void)
{
	n_late++;
}

static void check(bool good, const char *what, int where)
{
	printf("%sok %u - %s", good ? "" : "not ", ++number, what);
	if (where >= 0)
		printf(" (CPU %d last)", where);
	putchar('\n');
	failed += !good;
}

static void run(unsigned int i)
{
	queued[i].work->func(queued[i].work);
}

static void wait_with_last(unsigned int last)
{
	int where;
	unsigned int i;

	n_queued = 0;
	n_tasks = 0;
	n_late = 0;
	marker_quiesce_begin();
	where = queued[last].where;
	for (i = 0; i < n_queued; i++)
		if (i != last)
			run(i);
	check(marker_quiesce_wait() == -ETIMEDOUT && !n_late, "the wait is not over", where);
	run(last);
	check(!marker_quiesce_wait() && n_late == 1, "now it is, and that is reported", where);
	check(n_tasks == 1, "synchronize_rcu_tasks() was called", -1);
}

int main(void)
{
	unsigned int last;

	marker_quiesce_late = note_late;
	marker_quiesce_begin();
	check(n_queued == ITEMS, "a work item on each CPU, and one for tasks", -1);
	check(!n_unlocked && !cpus_locked, "no CPU goes meanwhile, and all may again", -1);
	for (last = 0; last < n_queued; last++)
		run(last);
	for (last = 0; n_queued == ITEMS && last < ITEMS; last++)
		wait_with_last(last);
	n_queued = 0;
	n_late = 0;
	marker_quiesce_begin();
	for (last = 0; last < n_queued; last++)
		run(last);
	check(!marker_quiesce_wait() && !n_late, "the next one in time is not reported", -1);
	printf("1..%u\n", number);
	return failed > 0;
}
