/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MARKERS_RESULTS_H
#define MARKERS_RESULTS_H

#include <linux/fs.h>
#include <linux/seq_file.h>

struct connection;

/* Of the debugfs file `results`: what each connection's probe has found. */
extern const struct file_operations results_fops;

/* The options and words of a connection as they were given, a blank before each. */
void results_terms(struct seq_file *m, const struct connection *conn);

#endif
