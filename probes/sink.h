/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink "ctf": keeps events in rings, one a CPU, for a program that makes a
 * trace of them.
 *
 *	sink_ctf.c	the probe: what `connect ... ctf` does
 *	sink_copy.c	the functions that sites call
 *	sink_event.c	what is read out of a format at connect
 *	sink_ring.c	reserving, committing, reading
 *	sink_session.c	the memory; start, stop, flush
 *	sink_reader.c	debugfs: reading packets
 *	sink_files.c	debugfs: all else
 *
 * There is one session.  It has memory from the first connection on; closing it
 * gives that back, and is refused while something is connected.
 *
 * Locks: session_lock, which may be taken under marker_mutex, for all below
 * but the ring.  The natively built program has its own session
 * (tools/native/session.c).
 */
#ifndef PROBES_SINK_H
#define PROBES_SINK_H

#include "env.h"
#include "sink_event.h"
#include "sink_ring.h"

extern struct marker_probe ctf_probe;

/* One connection more: 0, -ENOMEM.  May sleep. */
int session_attach(void);
void session_detach(void);

/* The class of a site's events; errors as event_class_get().  May sleep. */
struct event_class *session_class(const struct marker_site *site);

#endif
