/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of the machine as an arm64 kernel sees them, and the cycle counter. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <linux/arm-smccc.h>
#include <linux/cpuhotplug.h>
#include <linux/of.h>
#include <asm/arch_timer.h>
#include <asm/hypervisor.h>
#include <asm/virt.h>
#include "privileged.h"

/* A kernel at EL2 is not a guest; a kernel at EL1 may also be that of a host without VHE. */
static inline char *machine_env(void)
{
	return is_kernel_in_hyp_mode() ? "host" : "vm";
}

/* The kernel has no names of models. */
static inline const char *machine_cpu(void)
{
	static char name[24];

	snprintf(name, sizeof(name), "MIDR_EL1 %08x", read_cpuid_id());
	return name;
}

#define PMCR_ENABLE	BIT(0)
#define PMCR_LONG	BIT(6)	/* PMCCNTR_EL0 has 64 bits */
#define PMCCNTR		BIT(31)
#define PMCCFILTR_EL2	BIT(27)	/* count there, too */

static inline int machine_counter_stop_cpu(unsigned int cpu)
{
	write_sysreg(PMCCNTR, pmcntenclr_el0);
	write_sysreg(0, pmcr_el0);
	return 0;
}

static inline int machine_counter_start_cpu(unsigned int cpu)
{
	u64 before;

	if (read_sysreg(pmcr_el0) & PMCR_ENABLE)
		return -EBUSY;
	write_sysreg(is_kernel_in_hyp_mode() ? PMCCFILTR_EL2 : 0, pmccfiltr_el0);
	write_sysreg(PMCCNTR, pmcntenset_el0);
	write_sysreg(PMCR_ENABLE | PMCR_LONG, pmcr_el0);
	before = fence_pmccntr_begin();
	if (fence_pmccntr_end() != before)
		return 0;
	/* A hypervisor or a debugger may forbid the access. */
	machine_counter_stop_cpu(cpu);
	return -EIO;
}

static int machine_counter_state;

/*
 * Start the cycle counter on all CPUs, also those that come up later. 0, -EBUSY if perf uses it,
 * -EIO if it does not count, or the errors of cpuhp_setup_state().
 */
static inline int machine_counter_start(void)
{
	int ret;

	if (!cpu_has_pmccntr())
		return 0;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "marker_bench:online",
				machine_counter_start_cpu, machine_counter_stop_cpu);
	machine_counter_state = max(ret, 0);
	return min(ret, 0);
}

static inline void machine_counter_stop(void)
{
	if (machine_counter_state)
		cpuhp_remove_state(machine_counter_state);
}

/* Rate of the default counter; 0: not known. */
static inline unsigned int machine_tsc_khz(void)
{
	return cpu_has_pmccntr() ? 0 : arch_timer_get_cntfrq() / 1000;
}

/* QEMU's machine, and not under KVM: there a tick says nothing about cycles. */
static inline bool machine_is_emulated(void)
{
	return of_machine_is_compatible("linux,dummy-virt") &&
	       !kvm_arm_hyp_service_available(ARM_SMCCC_KVM_FUNC_FEATURES);
}

#endif
