/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the packets of all CPUs of a session, by one reader at a time: the files "packets"
 * and "snapshot" in debugfs.  Neither stops the recording, nor interrupts a CPU.
 */
#ifndef PROBES_CTF_READER_H
#define PROBES_CTF_READER_H

#include <linux/fs.h>

/* Files of a session, which is their data. */
extern const struct file_operations marker_ctf_packets_fops;
extern const struct file_operations marker_ctf_snapshot_fops;

#endif
