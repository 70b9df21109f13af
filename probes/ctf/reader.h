/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the packets of all CPUs of a session, by one reader at a time: the files "packets"
 * and "snapshot" in debugfs.  Neither stops the recording, nor interrupts a CPU.
 */
#ifndef PROBES_CTF_READER_H
#define PROBES_CTF_READER_H

struct marker_ctf_session;

/* Creates the files in the session's directory. */
void marker_ctf_reader_create(struct marker_ctf_session *session);

#endif
