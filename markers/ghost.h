/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One ghost gate: a place without an instruction of its own, where a kprobe sits
 * while it is open.  The kprobe finds the arguments and calls what the site's
 * link names, as a generic gate does.  arch/generic/ghost.c is for kernels (and
 * programs) without kprobes.
 *
 * Locks: all under markers_mutex; none of it inside the lock of a transaction of
 * patch.c, since kprobes patches text by itself.
 */
#ifndef MARKERS_GHOST_H
#define MARKERS_GHOST_H

#include "env.h"
#include "gate.h"

/* Whether there can be open ghosts here. */
bool ghost_possible(void);

/*
 * Sets the kprobe.  0, or, with a word in the log: -EOPNOTSUPP, no kprobes here;
 * -EINVAL, its operands make no sense, or no kprobe may sit there (noinstr,
 * NOKPROBE_SYMBOL(), a static key); -ENOMEM; others of register_kprobe().
 * May sleep.
 */
int ghost_open(struct gate *gate, struct marker_site *entry);

/*
 * Removes the kprobes of those that are open, and waits for their last calls:
 * once for all of them.
 */
void ghost_close_all(struct gate *const *gates, unsigned int n);

/*
 * What should stand where an open one is and @found was read: int3, or the jump of an
 * optimised kprobe.  The kernel changes one into the other at any time, so the text is
 * not read a second time.
 */
u8 ghost_expected(const struct gate *gate, u8 found);

/* Whether it is open and a jump; times that its kprobe was passed over. */
bool ghost_is_optimised(const struct gate *gate);
unsigned long ghost_missed(const struct gate *gate);

#endif
