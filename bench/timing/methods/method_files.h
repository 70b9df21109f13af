/* SPDX-License-Identifier: GPL-2.0-only */
/* The file "method" of marker_bench.ko: see debugfs.c. */
#ifndef BENCH_METHODS_DEBUGFS_H
#define BENCH_METHODS_DEBUGFS_H

#include <linux/types.h>

struct dentry;

/* @chains: time the chains that tell cycles from ticks.  May sleep. */
void marker_bench_method_create(struct dentry *directory, bool chains);

/* When the file is gone: frees the memory. */
void marker_bench_method_destroy(void);

#endif
