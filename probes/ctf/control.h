/* SPDX-License-Identifier: GPL-2.0-only */
/* The file "control" of a session. */
#ifndef PROBES_CTF_CONTROL_H
#define PROBES_CTF_CONTROL_H

#include <linux/fs.h>

struct marker_ctf_session;

#define COMMAND_MAX	256	/* bytes of a write */

/* The file; the session is its data. */
extern const struct file_operations marker_ctf_control_fops;

/*
 * End all connections of the session, and wait for their last calls. 0, or the errors of
 * marker_probe_disconnect_if(). May sleep; takes marker_mutex.
 */
int marker_ctf_control_disconnect(struct marker_ctf_session *session);

#endif
