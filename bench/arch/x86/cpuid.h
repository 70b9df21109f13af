/* SPDX-License-Identifier: GPL-2.0-only */
/* Features of the CPU's time stamp counter and of its instructions, by CPUID. */
#ifndef BENCH_CPUID_H
#define BENCH_CPUID_H

#include "env_site.h"

struct cpuid {
	u32 eax, ebx, ecx, edx;
};

/* Context: any; under a hypervisor it may take 10,000 times as long as bare. */
static inline struct cpuid cpu_leaf(u32 leaf)
{
	struct cpuid found = { .eax = leaf };

	asm volatile("cpuid"
		     : "+a" (found.eax), "=b" (found.ebx), "+c" (found.ecx), "=d" (found.edx));
	return found;
}

/* Registers of a CPUID leaf; all zero if the CPU has no such leaf. */
static inline struct cpuid cpu_leaf_if(u32 leaf)
{
	struct cpuid none = { };

	return cpu_leaf(leaf & 0x80000000).eax < leaf ? none : cpu_leaf(leaf);
}

static inline bool cpu_has_rdtscp(void)
{
	return cpu_leaf_if(0x80000001).edx >> 27 & 1;
}

static inline bool cpu_has_serialize(void)
{
	return cpu_leaf_if(7).edx >> 14 & 1;
}

/* The counter's rate is the same in all states of the CPU. */
static inline bool cpu_has_invariant_tsc(void)
{
	return cpu_leaf_if(0x80000007).edx >> 8 & 1;
}

static inline bool cpu_has_tsc(void)
{
	return cpu_leaf_if(1).edx >> 4 & 1;
}

#endif
