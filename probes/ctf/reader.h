/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the packets of all CPUs, by one reader at a time: the files "packets" and
 * "snapshot" in debugfs.  Neither stops the recording, nor interrupts a CPU.
 */
#ifndef PROBES_CTF_READER_H
#define PROBES_CTF_READER_H

struct dentry;

/* Creates the files. */
void marker_ctf_reader_init(struct dentry *dir);

#endif
