/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counter that events take their time from: the TSC.  Not fenced: an event
 * is ordered by when it was stored, to some tens of cycles.  User-Mode Linux and
 * other architectures have a file of the same name; the order of -I chooses.
 */
#ifndef PROBES_COUNTER_H
#define PROBES_COUNTER_H

#include <asm/tsc.h>
#include "env.h"

static __always_inline u64 marker_counter_read(void)
{
	return rdtsc();
}

/* Return the frequency of the counter, or 0 if it is not stable and equal on all CPUs. */
static inline u32 marker_counter_khz(void)
{
	return check_tsc_unstable() ? 0 : tsc_khz;
}

#endif
