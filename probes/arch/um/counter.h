/* SPDX-License-Identifier: GPL-2.0-only */
/* The TSC as User-Mode Linux or a program reads it, without knowing its properties. */
#ifndef PROBES_COUNTER_H
#define PROBES_COUNTER_H

#include "env.h"

static __always_inline u64 marker_counter_read(void)
{
	return __builtin_ia32_rdtsc();
}

/* Return the frequency of the counter, measured for 10 ms, to about 100 ppm. */
static inline u32 marker_counter_khz(void)
{
	u64 start = ktime_get_ns(), ticks = marker_counter_read(), ns;

	do {
		ns = ktime_get_ns() - start;
	} while (ns < 10000000);
	return div_u64((marker_counter_read() - ticks) * 1000000, ns);
}

#endif
