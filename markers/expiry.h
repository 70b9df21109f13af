/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_EXPIRY_H
#define MARKERS_EXPIRY_H

/* Has connections with a limit disconnected from their sites when it is reached. */
void marker_expiry_init(void);

/*
 * Wait for queued work. Call this when nothing is connected any more, so that no probe runs, and
 * before marker_work_exit().
 */
void marker_expiry_exit(void);

#endif
