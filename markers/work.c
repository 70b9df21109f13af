// SPDX-License-Identifier: GPL-2.0-only
/* The workqueue of markers.ko. */
#include <linux/workqueue.h>
#include "compat.h"
#include "env.h"
#include "work.h"

struct workqueue_struct *marker_work_queue;

int marker_work_init(void)
{
	marker_work_queue = alloc_workqueue("markers", WQ_PERCPU, 0);
	return marker_work_queue ? 0 : -ENOMEM;
}

void marker_work_exit(void)
{
	destroy_workqueue(marker_work_queue);
}
