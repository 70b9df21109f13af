/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites without code: nothing stands there, and a kprobe is set while they are open.
 * The kprobe finds the arguments and calls what the site's link names, as a generic
 * gate does.  One of them is in kprobe.c (no_kprobe.c for kernels and programs without
 * kprobes), those of a transaction in kprobe_gate.c.
 *
 * A kprobe can be refused, so those that open are set before any text is patched; one
 * that closes is gone by then, too, as it may sit on an instruction that is about to be
 * patched.  kprobes patches text by itself, so none of this happens under
 * marker_text_lock().
 *
 * Locks: marker_mutex.
 */
#ifndef MARKERS_KPROBE_GATE_H
#define MARKERS_KPROBE_GATE_H

#include "env.h"
#include "gate.h"

struct marker_table;

/* Whether there can be open kprobe gates here. */
bool marker_kprobe_gate_possible(void);

/*
 * Sets the kprobe.  0, or, with a word in the log: -EOPNOTSUPP, no kprobes here;
 * -EINVAL, its operands are invalid, or no kprobe may sit there (noinstr,
 * NOKPROBE_SYMBOL(), a static key); -ENOMEM; others of register_kprobe().
 * May sleep.
 */
int marker_kprobe_gate_open(struct marker_gate_state *gate, struct marker_site *entry);

/*
 * Removes the kprobes of those that are open, and waits for their last calls:
 * once for all of them.
 */
void marker_kprobe_gate_close_all(struct marker_gate_state *const *gates, unsigned int n);

/*
 * Read the bytes at an open kprobe gate, and compute the expected ones; return their number.
 * The kernel turns breakpoints into jumps and back at any time, so the text is read only once.
 */
unsigned int marker_kprobe_gate_read(const struct marker_gate_state *gate, u8 *found, u8 *expected);

/* Whether it is open and a jump; times that its kprobe was passed over. */
bool marker_kprobe_gate_is_optimised(const struct marker_gate_state *gate);
unsigned long marker_kprobe_gate_missed(const struct marker_gate_state *gate);

/*
 * Closes and opens the kprobe gates of sites that will lose their last probe or get
 * their first one.  The links are published.  0, or what marker_kprobe_gate_open() says, and
 * then all are as they were.
 */
int marker_kprobe_gates_change(const struct list_head *transaction);

/* The transaction failed behind marker_kprobe_gates_change(). */
void marker_kprobe_gates_undo(const struct list_head *transaction);

/* Closes all of a module that is going away. */
void marker_kprobe_gates_drop(const struct marker_table *table);

/*
 * Closes those in init text, before that is freed: then the kprobe has nothing to
 * sit on, and the bytes there must not be read.
 */
void marker_kprobe_gates_drop_init(const struct marker_table *table);

struct marker_kprobe_gate_counts {
	unsigned int open, optimised;
	unsigned long missed;		/* calls, by those that are open */
};

/* Over all modules. */
struct marker_kprobe_gate_counts marker_kprobe_gates_count(void);

#endif
