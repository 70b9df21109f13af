/* SPDX-License-Identifier: GPL-2.0-only */
/* The registered probes.  Locks: everything under marker_mutex. */
#ifndef MARKERS_PROBE_H
#define MARKERS_PROBE_H

#include "marker_probe.h"

extern struct list_head marker_probes;

struct marker_probe *marker_probe_find(const char *name);

#endif
