// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text as the kernel itself patches it: aarch64_insn_patch_text_nosync() stores one
 * instruction through the fixmap, and maintains the caches for where it is executed.
 *
 * NOP, B and BL may be replaced by one another while other CPUs execute them: Arm ARM
 * (DDI 0487), B2.2.5 "Concurrent modification and execution of instructions".  So there
 * is no breakpoint and no stop_machine().  But a CPU may execute the old instruction
 * until a context synchronization event, and a transaction has to know when none does
 * any more; one round of interrupts is that for all its sites.
 *
 * kprobes keep off the instructions of sites, and static keys and ftrace work on others;
 * text_mutex is held since it is what the kernel holds where it changes text.
 *
 * Locks, in this order: cpu_hotplug_lock, text_mutex.
 */
#include <linux/cpu.h>
#include <linux/memory.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include "patch.h"
#include "poke.h"
#include "text.h"

bool marker_text_write_twice;

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	return 0;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
}

/* A CPU that comes up would not be interrupted. */
void marker_text_lock(void)
{
	cpus_read_lock();
	mutex_lock(&text_mutex);
}

void marker_text_unlock(void)
{
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
}

/* Bytes in memory are little endian, whatever data is. */
void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	__le32 insn;

	memcpy(&insn, bytes, sizeof(insn));
	WARN_ON_ONCE(aarch64_insn_patch_text_nosync(addr, le32_to_cpu(insn)));
}

static void sync_one(void *unused)
{
	isb();
}

/* Not kick_all_cpus_sync(), which leaves out the CPU that it is called on. */
unsigned int marker_text_sync(void)
{
	on_each_cpu(sync_one, NULL, 1);
	return num_online_cpus();
}

/* No gate is several instructions. */
void marker_text_quiesce(void)
{
}

void marker_text_report(const struct marker_patch *patch)
{
	pr_err("%pS: found %*ph, expected %*ph\n", patch->addr, patch->len, patch->addr, patch->len,
	       patch->old);
}
