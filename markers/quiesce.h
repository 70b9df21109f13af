/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wait for code that has left a site and may still be in its probe: until
 * no task, preempted or not, and no interrupt is between a site and the end of
 * a probe that it called before the wait began.  A tenth of a second and more;
 * as long as a CPU does not schedule.
 *
 * Context: all sleep.
 */
#ifndef MARKERS_QUIESCE_H
#define MARKERS_QUIESCE_H

/* Begin a wait; the previous one has ended. Locks: a lock of the callers. */
void marker_quiesce_begin(void);

/*
 * 0 when the wait that was begun has ended; -ETIMEDOUT when it has not after the
 * seconds of the parameter "wait", and the log names the task or CPU.  Then the
 * wait continues: call it again, or let marker_quiesce_late() say when it has ended.
 */
int marker_quiesce_wait(void);

/*
 * Called when a wait has ended that had timed out.  Context: a work item; must
 * not wait itself.  Set before the first wait; NULL: none.
 */
extern void (*marker_quiesce_late)(void);

/* Wait without a limit.  Locks: marker_mutex. */
void marker_quiesce(void);

#endif
