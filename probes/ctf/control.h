/* SPDX-License-Identifier: GPL-2.0-only */
/* The file "control" of a session. */
#ifndef PROBES_CTF_CONTROL_H
#define PROBES_CTF_CONTROL_H

struct marker_ctf_session;

#define COMMAND_MAX	256	/* bytes of a write */

/* Creates it in the session's directory. */
void marker_ctf_control_create(struct marker_ctf_session *session);

/*
 * Ends all connections of the session, and waits for their last calls.  0, or what
 * marker_probe_disconnect_idle() says.  May sleep; takes marker_mutex.
 */
int marker_ctf_control_disconnect(struct marker_ctf_session *session);

#endif
