/* SPDX-License-Identifier: GPL-2.0-only */
/* The registered probes.  Locks: everything under marker_mutex, but for settling. */
#ifndef MARKERS_PROBE_H
#define MARKERS_PROBE_H

#include "marker_probe.h"

extern struct list_head marker_probes;

struct marker_probe *marker_probe_find(const char *name);

/* Calls settle() of all.  May sleep; the caller holds no lock of these files. */
void marker_probe_settle_all(void);

#endif
