// SPDX-License-Identifier: GPL-2.0-only
/*
 * No breakpoints: one store replaces an instruction (text.c).  But where the CPU is an
 * emulator's, instructions are written twice.
 */
#include <linux/arm-smccc.h>
#include <linux/of.h>
#include <linux/smp.h>
#include <asm/hypervisor.h>
#include "text.h"

/* True on QEMU's machine without KVM. A wrong answer costs one more sync. */
static bool is_emulated(void)
{
	return of_machine_is_compatible("linux,dummy-virt") &&
	       !kvm_arm_hyp_service_available(ARM_SMCCC_KVM_FUNC_FEATURES);
}

/* Write instructions twice under QEMU's emulation, as on x86; arch/x86/trap.c says why. */
int marker_trap_init(void)
{
	marker_text_write_twice = num_possible_cpus() > 1 && is_emulated();
	if (marker_text_write_twice)
		pr_info("emulated by QEMU: instructions are written twice\n");
	return 0;
}

void marker_trap_exit(void)
{
}
