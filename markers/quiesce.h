/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_QUIESCE_H
#define MARKERS_QUIESCE_H

/*
 * Returns when no task, preempted or not, and no interrupt is still between a
 * site and the end of a probe that it called before this call began.
 * Sleeps, a tenth of a second and more.
 */
void quiesce(void);

#endif
