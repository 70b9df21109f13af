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

/* Calls that a kprobe could not take, as the CPU was in another kprobe: they were printed. */
unsigned long marker_debug_kprobe_missed(void);

#endif
