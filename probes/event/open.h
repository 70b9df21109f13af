/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROBES_EVENT_OPEN_H
#define PROBES_EVENT_OPEN_H

#include <linux/types.h>

/* Finds tracefs by the file of the event @system:@name. 0, -ENODEV.  Locks: takes event_mutex. */
int marker_event_open_init(const char *system, const char *name);

/*
 * True if a file of the event @system:@name is open, in any instance, that would use the
 * event after it is removed.  Locks: the kernel's event_mutex.
 */
bool marker_event_is_open(const char *system, const char *name);

#endif
