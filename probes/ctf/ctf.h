/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probe "ctf": keeps events in rings, one a CPU, for a program that makes a
 * trace of them.  Its files, lowest layer first; each uses only those before it:
 *
 *	packet.h	the format of a packet
 *	ring.c		reserving, committing, reading
 *	class.c		what is read out of a format at connect
 *	items.c		which items of the context are stored
 *	stack.c		stacks, which are two of them
 *	copy.c		the functions that sites call
 *	session.c	the memory; start, stop, flush
 *	probe.c		the probe: what `connect ... ctf` does
 *	reader.c	debugfs: reading packets
 *	files.c		debugfs: all else
 *
 * There is one session.  It has memory from the first connection on; closing it
 * gives that back, and is refused while something is connected.
 *
 * Locks: marker_ctf_session_lock, which may be taken under marker_mutex, for all
 * but the ring.  The natively built program has its own session
 * (tools/native/session.c).
 */
#ifndef PROBES_CTF_H
#define PROBES_CTF_H

#include "env.h"
#include "class.h"
#include "ring.h"

extern struct marker_probe marker_ctf_probe;

/**
 * marker_ctf_session_attach() - count a new connection; the first one gets memory
 * @raw: it stores addresses of the kernel that are not hashed
 *
 * Context: process context, may sleep.  Takes marker_ctf_session_lock.
 * Return: 0; -ENOMEM; -EOPNOTSUPP if the clock asked for cannot be had; -EPERM if
 * addresses are to be hashed.
 */
int marker_ctf_session_attach(bool raw);

/**
 * marker_ctf_session_detach() - undo one marker_ctf_session_attach()
 *
 * The memory stays until the session is closed.
 * Context: process context, may sleep.  Takes marker_ctf_session_lock.
 */
void marker_ctf_session_detach(void);

/**
 * marker_ctf_session_class() - find or make the class of a site's events
 * @site: a site that is to be connected
 * @context: items of the context that are stored with each
 *
 * Context: process context, may sleep.  Takes marker_ctf_session_lock.
 * Return: the class, which lives until the session is closed, or an ERR_PTR() as
 * of marker_ctf_class_get().
 */
struct marker_ctf_class *marker_ctf_session_class(const struct marker_site *site, u32 context);

#endif
