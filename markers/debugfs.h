/* SPDX-License-Identifier: GPL-2.0-only */
/* The files below debugfs `markers`; their formats are in Documentation/ABI. */
#ifndef MARKERS_DEBUGFS_H
#define MARKERS_DEBUGFS_H

int marker_debugfs_init(void);
void marker_debugfs_exit(void);

#endif
