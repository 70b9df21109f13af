/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to read the time stamp counter on x86-64 at both ends of the
 * measured code.  fence.h makes a table of them.
 *
 *	name		begin			end
 *	lfence		lfence;rdtsc;lfence	rdtscp;lfence
 *	lfence_rdtsc	lfence;rdtsc;lfence	lfence;rdtsc;lfence
 *	cpuid		cpuid;rdtsc		cpuid;rdtsc
 *	rdtscp		cpuid;rdtsc		rdtscp;cpuid
 *	cr0		cpuid;rdtsc		cr0 written back;rdtsc	(fence_cr0.h)
 *	serialize	serialize;rdtsc		rdtscp;serialize
 *	rdtsc		rdtsc			rdtsc
 *
 * cpuid, rdtscp and cr0 are methods 1, 2 and 3 of Paoloni, "How to Benchmark
 * Code Execution Times" (Intel, 2010); the paper warns of rdtsc.  LFENCE lets
 * the next instruction begin when all before have completed (Intel SDM vol. 2A;
 * on AMD since Linux 4.15 sets the MSR that makes it so), and RDTSCP waits for
 * all before by itself.  Every register that an instruction changes is named.
 *
 * Context: any.  The caller has to stay on one CPU.
 */
#ifndef BENCH_FENCES_H
#define BENCH_FENCES_H

#include "cpuid.h"
#include "env_site.h"

/* All instructions between the two reads of a method belong to that method. */
static __always_inline u64 fence_lfence_rdtsc_begin(void)
{
	u32 low, high;

	asm volatile("lfence\n\trdtsc\n\tlfence" : "=a" (low), "=d" (high) : : "memory");
	return (u64)high << 32 | low;
}

#define fence_lfence_rdtsc_end	fence_lfence_rdtsc_begin
#define fence_lfence_begin	fence_lfence_rdtsc_begin

static __always_inline u64 fence_lfence_end(void)
{
	u32 low, high;

	asm volatile("rdtscp\n\tlfence" : "=a" (low), "=d" (high) : : "rcx", "memory");
	return (u64)high << 32 | low;
}

static __always_inline u64 fence_cpuid_begin(void)
{
	u32 low = 0, high;

	asm volatile("cpuid\n\trdtsc"
		     : "+a" (low), "=d" (high) : : "rbx", "rcx", "memory");
	return (u64)high << 32 | low;
}

#define fence_cpuid_end		fence_cpuid_begin
#define fence_rdtscp_begin	fence_cpuid_begin

/* Save the count from the registers that CPUID overwrites. */
static __always_inline u64 fence_rdtscp_end(void)
{
	u64 low, high;

	asm volatile("rdtscp\n\t"
		     "mov %%rax, %[low]\n\t"
		     "mov %%rdx, %[high]\n\t"
		     "xor %%eax, %%eax\n\t"
		     "cpuid"
		     : [low] "=&r" (low), [high] "=&r" (high)
		     : : "rax", "rbx", "rcx", "rdx", "cc", "memory");
	return high << 32 | low;
}

/* SERIALIZE, by its bytes: not every assembler knows it. */
static __always_inline u64 fence_serialize_begin(void)
{
	u32 low, high;

	asm volatile(".byte 0x0f, 0x01, 0xe8\n\trdtsc"
		     : "=a" (low), "=d" (high) : : "memory");
	return (u64)high << 32 | low;
}

static __always_inline u64 fence_serialize_end(void)
{
	u32 low, high;

	asm volatile("rdtscp\n\t.byte 0x0f, 0x01, 0xe8"
		     : "=a" (low), "=d" (high) : : "rcx", "memory");
	return (u64)high << 32 | low;
}

static __always_inline u64 fence_rdtsc_begin(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (u64)high << 32 | low;
}

#define fence_rdtsc_end		fence_rdtsc_begin

/*
 * The first fault of the paper's first listing: its RDTSC does not name the registers that
 * it changes.  A value that the compiler keeps in one of them is lost.
 */
static __always_inline u32 fence_naive(u32 value)
{
	u32 low, high;

	asm volatile("" : "+a" (value));
	asm volatile("rdtsc\n\tmov %%edx, %0\n\tmov %%eax, %1" : "=&r" (high), "=&r" (low));
	asm volatile("" : "+a" (value) : "r" (high), "r" (low));
	return value;
}

/* Read the counter as for an event; and ordered with the code around the read. */
#define counter_now		fence_rdtsc_begin
#define counter_now_ordered	fence_lfence_rdtsc_begin

/* X(name, the reads in words, whether this CPU has it); the default first. */
#define FENCES(X)							\
	X(lfence, "lfence;rdtsc;lfence .. rdtscp;lfence", cpu_has_rdtscp) \
	X(lfence_rdtsc, "lfence;rdtsc;lfence .. lfence;rdtsc;lfence", cpu_has_tsc) \
	X(cpuid, "cpuid;rdtsc .. cpuid;rdtsc", cpu_has_tsc)		\
	X(rdtscp, "cpuid;rdtsc .. rdtscp;cpuid", cpu_has_rdtscp)	\
	X(serialize, "serialize;rdtsc .. rdtscp;serialize", cpu_has_serialize) \
	X(rdtsc, "rdtsc .. rdtsc, no fence at all", cpu_has_tsc)

#endif
