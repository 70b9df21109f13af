/* SPDX-License-Identifier: GPL-2.0-only */
/* The TSC, seen from User-Mode Linux or a program, which knows nothing of it. */
#ifndef PROBES_COUNTER_H
#define PROBES_COUNTER_H

#include "env.h"

static __always_inline u64 counter_read(void)
{
	return __builtin_ia32_rdtsc();
}

static inline u32 counter_khz(void)
{
	return 0;
}

#endif
