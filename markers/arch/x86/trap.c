// SPDX-License-Identifier: GPL-2.0-only
/*
 * The breakpoints of patched text: they reach marker_patch_trap(), which says how the gate would
 * have continued. text.c writes the text.
 *
 * Context: see each function; the trap handler runs where the site runs, or in an NMI.
 */
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <asm/processor.h>
#include <asm/text-patching.h>
#include "rounds.h"
#include "text.h"

/* CPUID leaf with the name of the hypervisor. */
#define CPUID_HYPERVISOR 0x40000000

static int trap(struct notifier_block *nb, unsigned long why, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;
	u8 *addr = (u8 *)regs->ip - INT3_INSN_SIZE, *to;

	if (why != DIE_INT3 || user_mode(regs))
		return NOTIFY_DONE;
	switch (marker_patch_trap(addr, &to)) {
	case PATCH_RETRY:
		int3_emulate_jmp(regs, (unsigned long)addr);
		return NOTIFY_STOP;
	case PATCH_JUMP:
		int3_emulate_jmp(regs, (unsigned long)to);
		return NOTIFY_STOP;
	case PATCH_CALL:
		/* int3_emulate_call() does not take the same arguments everywhere. */
		int3_emulate_push(regs, (unsigned long)addr + CALL_INSN_SIZE);
		int3_emulate_jmp(regs, (unsigned long)to);
		return NOTIFY_STOP;
	default:
		return NOTIFY_DONE;
	}
}

NOKPROBE_SYMBOL(trap);

static struct notifier_block trap_notifier = {
	.notifier_call = trap,
	.priority = INT_MAX - 1,	/* behind kprobes, before kgdb */
};

/* The kernel's own functions for this have changed their names and headers. */
static bool is_emulated(void)
{
	u32 leaves, signature[3];

	asm volatile("cpuid"
		     : "=a" (leaves), "=b" (signature[0]), "=c" (signature[1]), "=d" (signature[2])
		     : "a" (CPUID_HYPERVISOR), "c" (0));
	return boot_cpu_has(X86_FEATURE_HYPERVISOR) &&
	       !memcmp(signature, "TCGTCGTCGTCG", sizeof(signature));
}

int marker_trap_init(void)
{
	/*
	 * QEMU's multi-threaded emulation can keep running code translated
	 * before it was changed on another CPU; the kernel's own static keys
	 * suffer from it too.  A second store of the same bytes flushes it.
	 */
	marker_text_write_twice = num_possible_cpus() > 1 && is_emulated();
	if (marker_text_write_twice)
		pr_info("emulated by TCG: bytes are written twice\n");
	return register_die_notifier(&trap_notifier);
}

void marker_trap_exit(void)
{
	unregister_die_notifier(&trap_notifier);
}
