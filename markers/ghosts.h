/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ghost gates of a transaction.  A kprobe can be refused, so those that open
 * are set before any text is patched; a ghost that closes is gone by then, too,
 * as it may sit on an instruction that is about to be patched.
 *
 * Locks: markers_mutex.
 */
#ifndef MARKERS_GHOSTS_H
#define MARKERS_GHOSTS_H

#include "env.h"

struct marker_table;

/*
 * Closes and opens the ghosts of sites that will lose their last probe or get
 * their first one.  The links are published.  0, or what ghost_open() says, and
 * then all are as they were.
 */
int ghosts_change(const struct list_head *transaction);

/* The transaction failed behind ghosts_change(). */
void ghosts_undo(const struct list_head *transaction);

/* Closes all of a module that is going away. */
void ghosts_drop(const struct marker_table *table);

/*
 * Closes those in init text, before that is freed: then the kprobe has nothing to
 * sit on, and nobody may look at the bytes there.
 */
void ghosts_drop_init(const struct marker_table *table);

struct ghost_counts {
	unsigned int open, optimised;
	unsigned long missed;		/* calls, by those that are open */
};

/* Over all modules. */
struct ghost_counts ghosts_count(void);

#endif
