/* SPDX-License-Identifier: GPL-2.0-only */
/* The registered probes.  Locks: everything under markers_mutex. */
#ifndef MARKERS_PROBES_H
#define MARKERS_PROBES_H

#include "probe.h"

extern struct list_head registered_probes;

struct probe *probe_find(const char *name);

#endif
