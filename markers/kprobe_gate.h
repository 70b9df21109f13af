/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites without code: a kprobe is set at the address of the site while the site is open. The
 * kprobe finds the arguments and calls the function of the site's link, as a generic gate does.
 * kprobe.c has one such gate (no_kprobe.c for kernels and programs without kprobes), and
 * kprobe_gate.c all gates of a transaction.
 *
 * The kernel can refuse a kprobe, so kprobes are set before any text is patched. Kprobes of
 * closing sites are removed before that, too, because such a kprobe may be on an instruction that
 * is about to be patched. kprobes patches text by itself, so none of this happens under
 * marker_text_lock().
 *
 * Locks: marker_mutex.
 */
#ifndef MARKERS_KPROBE_GATE_H
#define MARKERS_KPROBE_GATE_H

#include "env.h"
#include "gate.h"

struct marker_table;

/* True if there can be open kprobe gates here. */
bool marker_kprobe_gate_possible(void);

/*
 * Sets the kprobe.  0, or, with a word in the log: -EOPNOTSUPP, no kprobes here;
 * -EINVAL, its operands are invalid, or no kprobe may sit there (noinstr,
 * NOKPROBE_SYMBOL(), a static key); -ENOMEM; others of register_kprobe().
 * May sleep.
 */
int marker_kprobe_gate_open(struct marker_gate_state *gate, struct marker_site *entry);

/* Remove the kprobes of open gates, and wait once for the last calls of all of them. */
void marker_kprobe_gate_close_all(struct marker_gate_state *const *gates, unsigned int n);

/*
 * Read the bytes at an open kprobe gate, and compute the expected ones; return their number.
 * The kernel turns breakpoints into jumps and back at any time, so the text is read only once.
 */
unsigned int marker_kprobe_gate_read(const struct marker_gate_state *gate, u8 *found, u8 *expected);

/* True if the gate is open and its kprobe is a jump; number of hits that its kprobe has missed. */
bool marker_kprobe_gate_is_optimised(const struct marker_gate_state *gate);
unsigned long marker_kprobe_gate_missed(const struct marker_gate_state *gate);

/*
 * Close and open the kprobe gates of sites that will lose their last probe or get their first one.
 * The links are published. 0, or the errors of marker_kprobe_gate_open(); after an error no gate
 * has changed.
 */
int marker_kprobe_gates_change(const struct list_head *transaction);

/* The transaction failed behind marker_kprobe_gates_change(). */
void marker_kprobe_gates_undo(const struct list_head *transaction);

/* Closes all of a module that is going away. */
void marker_kprobe_gates_drop(const struct marker_table *table);

/*
 * Close the gates in init text before that text is freed, because afterwards the kprobe has no
 * instruction and the bytes must not be read.
 */
void marker_kprobe_gates_drop_init(const struct marker_table *table);

struct marker_kprobe_gate_counts {
	unsigned int open, optimised;
	unsigned long missed;		/* hits that the open ones have missed */
};

/* Over all modules. */
struct marker_kprobe_gate_counts marker_kprobe_gates_count(void);

#endif
