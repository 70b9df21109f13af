/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Take snapshots without a reader: on events, by the probe "snapshot", and on an oops.  When
 * the kernel panics, all sessions stop, and their events can be read from a dump.
 */
#ifndef PROBES_CTF_TRIGGER_H
#define PROBES_CTF_TRIGGER_H

#include "marker_probe.h"

extern struct marker_probe marker_ctf_snapshot_probe;

/* True if a connection of that probe, which has @data, takes snapshots of @session. */
bool marker_ctf_snapshot_is_of(const void *data, const void *session);

/* Register the callbacks of oopses and panics; 0 or a negative errno. */
int marker_ctf_trigger_init(void);
void marker_ctf_trigger_exit(void);

#endif
