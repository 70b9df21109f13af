/* SPDX-License-Identifier: GPL-2.0-only */
/* The files below debugfs `markers`; their formats are in Documentation/ABI. */
#ifndef MARKERS_CONTROL_H
#define MARKERS_CONTROL_H

int control_init(void);
void control_exit(void);

#endif
