/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The Abstract System Interface of Linux on x86-64: the time stamp counter. */
#ifndef TSC_ASI_LINUX_X86_64_H
#define TSC_ASI_LINUX_X86_64_H

#include "asi_linux.h"

/* An addition that waits for the one before: one cycle of the core. */
#define TSC_ADD_CHAIN	"add %0, %0"

INLINE void rdtsc(tsc_int64 *counter)
{
	__asm__ __volatile__("rdtsc" : "=a" (counter->low), "=d" (counter->high));
}

#ifdef TSC_PRIVATE_FUNCTIONS
#include <cpuid.h>

static inline double tsc_platformSpeed(void)
{
	return 0;
}

/* CPUID 8000_0007, EDX bit 8: invariant TSC. */
static inline int tsc_platformInvariant(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx >> 8 & 1);
}
#endif

#endif
