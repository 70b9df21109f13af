/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * List of the sessions.  The first one, "default", exists as long as the module.
 *
 * Locks: marker_ctf_session_lock; the list can be walked under rcu_read_lock(), too.
 */
#ifndef PROBES_CTF_SESSIONS_H
#define PROBES_CTF_SESSIONS_H

#include "session.h"

extern struct list_head marker_ctf_sessions;

int marker_ctf_sessions_init(void);

/* Free all sessions.  Nothing is connected to them, and none of their files is open. */
void marker_ctf_sessions_exit(void);

/* Find the session called @name; NULL, which is logged, if there is none. */
struct marker_ctf_session *marker_ctf_sessions_find(const char *name);

/*
 * Create a session, without @session->directory, which the caller sets. ERR_PTR(): -EINVAL for an
 * invalid name, -EEXIST, -ENOMEM; the log has the reason.
 */
struct marker_ctf_session *marker_ctf_sessions_create(const char *name);

/*
 * Remove a session from the list, and close it.  The caller removes its directory, without the
 * lock, and frees it.  ERR_PTR(): -EINVAL for an invalid name; -ENOENT; -EBUSY while something is
 * connected or reads, and of "default"; the log says why.
 */
struct marker_ctf_session *marker_ctf_sessions_remove(const char *name);

#endif
