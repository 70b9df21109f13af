/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_EXPIRE_H
#define MARKERS_EXPIRE_H

/* Has connections with a limit disconnected from their sites when it is reached. */
void expire_init(void);

/* To be called when nothing is connected any more. */
void expire_exit(void);

#endif
