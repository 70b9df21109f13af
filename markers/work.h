/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The workqueue of markers.ko. All work items of the module run there, so no work item can outlive
 * the module: a work item may queue another one, and marker_work_exit() waits until the last has
 * ended. All other sources of work have to stop before.
 */
#ifndef MARKERS_WORK_H
#define MARKERS_WORK_H

struct workqueue_struct;

/* The queue runs a work item on the CPU for which it was queued. */
extern struct workqueue_struct *marker_work_queue;

/* Make the workqueue, before anything is queued. 0, or -ENOMEM. May sleep. */
int marker_work_init(void);

/* Refuse new work items from outside, wait for all queued ones, and end. May sleep. */
void marker_work_exit(void);

#endif
