/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The workqueue of markers.ko.  All work items of the module run there and nowhere else, so
 * that none can outlive it: a work item may queue another one, and marker_work_exit() waits
 * until the last of them has ended.  What is not a work item has to have stopped before.
 */
#ifndef MARKERS_WORK_H
#define MARKERS_WORK_H

struct workqueue_struct;

/* Of each CPU: a work item runs on the CPU for which it was queued. */
extern struct workqueue_struct *marker_work_queue;

/* Makes the workqueue; to be called before anything is queued.  0, or -ENOMEM.  May sleep. */
int marker_work_init(void);

/* Refuses further work items of others, waits for all that are queued, and ends.  May sleep. */
void marker_work_exit(void);

#endif
