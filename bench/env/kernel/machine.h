/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Properties of the machine as a kernel sees them.  User-Mode Linux has a file of the same name
 * (env/um); the order of -I chooses.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <linux/string.h>
#include <asm/processor.h>
#include <asm/tsc.h>
#include "cpuid.h"

static inline char *machine_env(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR) ? "vm" : "host";
}

static inline const char *machine_cpu(void)
{
	return boot_cpu_data.x86_model_id;
}

/* The TSC counts always. */
static inline int machine_counter_start(void)
{
	return 0;
}

static inline void machine_counter_stop(void)
{
}

/* 0: not known. */
static inline unsigned int machine_tsc_khz(void)
{
	return tsc_khz;
}

/* QEMU without KVM: there a tick says nothing about cycles. */
static inline bool machine_is_emulated(void)
{
	struct cpuid hypervisor = cpu_leaf(0x40000000);

	return boot_cpu_has(X86_FEATURE_HYPERVISOR) &&
	       !memcmp(&hypervisor.ebx, "TCGTCGTCGTCG", 3 * sizeof(u32));
}

#endif
