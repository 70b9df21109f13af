/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session and the classes of its events as text: for debugfs, and for readers of a dump of the
 * memory. Documentation/ABI/debugfs-markers has the formats.
 */
#ifndef PROBES_CTF_DESCRIBE_H
#define PROBES_CTF_DESCRIBE_H

struct marker_ctf_class;
struct marker_ctf_session;
struct seq_file;

/* Print the settings, and the clock if the session is open: key, tab, value. */
void marker_ctf_describe_session(struct seq_file *m, const struct marker_ctf_session *session);

/* Print the names of the columns of marker_ctf_describe_class(). */
void marker_ctf_describe_columns(struct seq_file *m);

/* Print a line for a class. */
void marker_ctf_describe_class(struct seq_file *m, const struct marker_ctf_class *event);

#endif
