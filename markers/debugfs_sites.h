/* SPDX-License-Identifier: GPL-2.0-only */
/* The debugfs files `sites` and `verify`. */
#ifndef MARKERS_DEBUGFS_SITES_H
#define MARKERS_DEBUGFS_SITES_H

#include <linux/fs.h>

extern const struct file_operations marker_sites_fops, marker_verify_fops;

#endif
