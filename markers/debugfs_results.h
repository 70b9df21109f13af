/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_DEBUGFS_RESULTS_H
#define MARKERS_DEBUGFS_RESULTS_H

#include <linux/fs.h>
#include <linux/seq_file.h>

struct marker_connection;

/* Of the debugfs file `results`: what each connection's probe has found. */
extern const struct file_operations marker_results_fops;

/* The options and words of a connection as they were given, a blank before each. */
void marker_results_show_args(struct seq_file *m, const struct marker_connection *conn);

#endif
