/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probe "ctf": keeps events in rings, one for each CPU, for a program that makes a
 * trace of them.  Its files, lowest layer first; each uses only the files before it:
 *
 *	packet.h	the format of a packet
 *	ring.c		reserving, committing
 *	part.c		reading; slot.h: where a packet is
 *	class.c		fields that are read from a format at connect
 *	items.c		the stored items of the context
 *	stack.c		the two stacks among these items
 *	copy.c		the functions that sites call
 *	describe.c	sessions and classes as text
 *	dump.c		the same text, in pages for dumps of the memory
 *	session.c	the memory; start, stop, flush, snapshot
 *	sessions.c	the list of sessions; their connections
 *	probe.c		the probe: `connect ... ctf`
 *	trigger.c	the probe "snapshot"; oops and panic
 *	reader.c	debugfs: reading packets
 *	control.c	debugfs: setting a session up
 *	files.c		debugfs: all other files
 *
 * A session has memory from its first connection on.  Closing frees the memory, and is
 * refused while something is connected.
 *
 * Locks: marker_ctf_session_lock, which may be taken under marker_mutex, for all
 * but the ring and taking a snapshot.  The natively built program has its own session
 * (bench/env/user/session.c).
 */
#ifndef PROBES_CTF_H
#define PROBES_CTF_H

#include "env.h"
#include "class.h"
#include "ring.h"

extern struct marker_probe marker_ctf_probe;

struct marker_ctf_session;

#define SESSION_NAME_MAX	32

/**
 * marker_ctf_probe_session() - get the name of a connection's session
 * @args: the words of the connection, or NULL
 * @name: gets the text behind "session=" in the first word; else an empty text
 *
 * Context: any.
 * Return: the words behind that word, or NULL.
 */
const char *marker_ctf_probe_session(const char *args, char name[SESSION_NAME_MAX]);

/**
 * marker_ctf_probe_is_of() - whether a connection of the probe ctf stores into a session
 * @data: data that the probe made of the connection
 * @session: the session
 *
 * Context: any.
 * Return: whether.
 */
bool marker_ctf_probe_is_of(const void *data, const void *session);

/**
 * marker_ctf_session_attach() - count a new connection; the first one gets memory
 * @name: name of the session; empty: the default session
 * @raw: true if the session stores addresses of the kernel that are not hashed
 *
 * Context: process context, may sleep.  Takes marker_ctf_session_lock.
 * Return: the session, or an ERR_PTR(): -ENOENT if there is no such session; -ENOMEM;
 * -EOPNOTSUPP if the requested clock is not available; -EPERM if addresses are to be hashed.
 */
struct marker_ctf_session *marker_ctf_session_attach(const char *name, bool raw);

/**
 * marker_ctf_session_detach() - undo one marker_ctf_session_attach()
 * @session: result of marker_ctf_session_attach()
 *
 * The memory stays until the session is closed.
 * Context: process context, may sleep.  Takes marker_ctf_session_lock.
 */
void marker_ctf_session_detach(struct marker_ctf_session *session);

/**
 * marker_ctf_session_class() - find or make the class of a site's events
 * @session: session of the events, which has a connection
 * @site: a site that is to be connected
 * @context: items of the context that are stored with each event
 *
 * Context: process context, may sleep.  Takes marker_ctf_session_lock.
 * Return: the class, which lives until the session is closed, or an ERR_PTR() as
 * of marker_ctf_class_get().
 */
struct marker_ctf_class *marker_ctf_session_class(struct marker_ctf_session *session,
						  const struct marker_site *site, u32 context);

#endif
