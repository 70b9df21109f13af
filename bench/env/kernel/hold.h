/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps preemption off around a call, as a kernel does it: where it can be
 * preempted at all, by counting.  Natively there is a file of the same name.
 */
#ifndef BENCH_HOLD_H
#define BENCH_HOLD_H

#include <linux/preempt.h>

#define hold_begin()	preempt_disable_notrace()
#define hold_end()	preempt_enable_notrace()

#endif
