/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Method 3 of Paoloni, for CPUs without RDTSCP: a write of CR0 serialises, and the written value
 * is the one that was read. Possible only in a kernel. See fences.h.
 */
#ifndef BENCH_FENCE_CR0_H
#define BENCH_FENCE_CR0_H

#include "fences.h"

#define fence_cr0_begin		fence_cpuid_begin

static __always_inline u64 fence_cr0_end(void)
{
	u32 low, high;

	asm volatile("mov %%cr0, %%rax\n\t"
		     "mov %%rax, %%cr0\n\t"
		     "rdtsc"
		     : "=a" (low), "=d" (high) : : "memory");
	return (u64)high << 32 | low;
}

/* X() as in FENCES. */
#define FENCES_CR0(X)							\
	X(cr0, "cpuid;rdtsc .. mov %cr0,%rax;mov %rax,%cr0;rdtsc", cpu_has_tsc)

#endif
