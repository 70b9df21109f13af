// SPDX-License-Identifier: GPL-2.0-only
/* What can be found out about the time stamp counter by looking at it. */
#include "fence.h"

#define STEP_READS	2000

static void read_cpuid(u32 leaf, u32 *eax, u32 *edx)
{
	u32 ebx, ecx = 0;

	*eax = leaf;
	asm volatile("cpuid" : "+a" (*eax), "=b" (ebx), "+c" (ecx), "=d" (*edx));
}

bool tsc_has_rdtscp(void)
{
	u32 last, edx;

	read_cpuid(0x80000000, &last, &edx);
	if (last < 0x80000001)
		return false;
	read_cpuid(0x80000001, &last, &edx);
	return edx >> 27 & 1;
}

const char *tsc_fence_name(bool rdtscp)
{
	return rdtscp ? "lfence;rdtsc;lfence .. rdtscp;lfence" :
			"lfence;rdtsc;lfence .. lfence;rdtsc;lfence";
}

static u32 common_divisor(u32 a, u32 b)
{
	while (b) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

u32 tsc_measure_step(void)
{
	u64 last = tsc_begin(), now;
	u32 step = 0;
	int i, j;

	for (i = 0; i < STEP_READS; i++) {
		/* Of changing length, or each distance might be the same. */
		for (j = i % 16; j; j--)
			barrier();
		now = tsc_begin();
		step = common_divisor(now - last, step);
		last = now;
	}
	return step;
}
