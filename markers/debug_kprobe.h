/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug sites whose calls cannot be diverted: a kprobe at the function that they call takes
 * their calls.
 *
 * Locks: marker_mutex.
 */
#ifndef MARKERS_DEBUG_KPROBE_H
#define MARKERS_DEBUG_KPROBE_H

#include "debug_call.h"

struct kprobe;
struct pt_regs;

/**
 * marker_debug_kprobe_get - set a kprobe at a function of debug sites
 * @function: the function
 *
 * Context: may sleep.
 * Return: 0, or -EOPNOTSUPP without kprobes, or the errors of register_kprobe().
 */
int marker_debug_kprobe_get(const struct marker_debug_function *function);

/* The end of one marker_debug_kprobe_get(); the last one removes the kprobe.  May sleep. */
void marker_debug_kprobe_put(const struct marker_debug_function *function);

/*
 * For a handler of a kprobe at the beginning of a function: the function returns at once.
 * Return what the handler has to return.  The kprobe has marker_debug_kprobe_no_jump().
 */
int marker_debug_kprobe_skip(struct pt_regs *regs);

/* The post_handler of such a kprobe: with one, a kprobe is never a jump, which could not skip. */
void marker_debug_kprobe_no_jump(struct kprobe *kprobe, struct pt_regs *regs,
				 unsigned long flags);

/* Calls that a kprobe could not take, as the CPU was in another kprobe: they were printed. */
unsigned long marker_debug_kprobe_missed(void);

#endif
