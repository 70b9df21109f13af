/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counter from which events take their time: that of the generic timer, read by the kernel's
 * own function, which handles CPUs that misread it.
 */
#ifndef PROBES_COUNTER_H
#define PROBES_COUNTER_H

#include <asm/arch_timer.h>
#include <clocksource/arm_arch_timer.h>
#include "env.h"

static __always_inline u64 marker_counter_read(void)
{
	return arch_timer_read_counter();
}

/* Return the frequency of the counter, or 0 if the firmware did not set it. */
static inline u32 marker_counter_khz(void)
{
	return arch_timer_get_cntfrq() / 1000;
}

#endif
