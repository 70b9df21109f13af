/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes that are under way on a CPU: one at most in each of a task, a softirq, an
 * interrupt and an NMI.
 */
#ifndef MARKERS_NESTING_H
#define MARKERS_NESTING_H

#include "env.h"

/*
 * True if none is under way where the caller runs; then preemption is disabled, and the caller
 * is under way until marker_nesting_leave().
 */
bool marker_nesting_enter(void);
void marker_nesting_leave(void);

#endif
