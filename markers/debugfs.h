/* SPDX-License-Identifier: GPL-2.0-only */
/* The files below debugfs `markers`; their formats are in Documentation/ABI. */
#ifndef MARKERS_DEBUGFS_H
#define MARKERS_DEBUGFS_H

#include <linux/fs.h>
#include <linux/seq_file.h>

struct marker_connection;

int marker_debugfs_init(void);
void marker_debugfs_exit(void);

/* debugfs_results.c: the file `results`, results of each connection's probe. */
int marker_results_show(struct seq_file *m, void *unused);

/* The options and words of a connection as they were given, a blank before each. */
void marker_results_show_args(struct seq_file *m, const struct marker_connection *conn);

/* debugfs_sites.c: the files `sites` and `verify`. */
extern const struct file_operations marker_sites_fops;
int marker_verify_show(struct seq_file *m, void *unused);

#endif
