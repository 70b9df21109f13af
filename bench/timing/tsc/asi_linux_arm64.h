/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The Abstract System Interface of Linux on arm64: the virtual counter of the
 * generic timer.  It has a fixed rate, 1 MHz to 1 GHz, and is the same on all
 * CPUs; one tick may be tens of nanoseconds.
 */
#ifndef TSC_ASI_LINUX_ARM64_H
#define TSC_ASI_LINUX_ARM64_H

#include "asi_linux.h"

/* An addition that waits for the one before: one cycle of the core. */
#define TSC_ADD_CHAIN	"add %0, %0, %0"

INLINE void rdtsc(tsc_int64 *counter)
{
	uint64_t value;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r" (value));
	counter->low = (uint32_t)value;
	counter->high = (uint32_t)(value >> 32);
}

#ifdef TSC_PRIVATE_FUNCTIONS
/* Return the frequency that the firmware set, or 0 if it set none. */
static inline double tsc_platformSpeed(void)
{
	uint64_t hz;

	__asm__ __volatile__("mrs %0, cntfrq_el0" : "=r" (hz));
	return UINT64_TO_DOUBLE(hz & 0xffffffff);
}

static inline int tsc_platformInvariant(void)
{
	return 1;
}
#endif

#endif
