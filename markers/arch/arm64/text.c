// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text of modules, patched with functions that a stock kernel exports (text_alias.c).
 *
 * NOP, B and BL may be replaced by one another while other CPUs execute them, by an aligned store
 * of the whole instruction: Arm ARM (DDI 0487), B2.2.5 "Concurrent modification and execution of
 * instructions". A CPU executes the old or the new instruction, so there is no breakpoint and no
 * order between CPUs. But a CPU may execute the old instruction until a context synchronization
 * event, and a transaction has to know when no CPU does so any more: the interrupt of
 * marker_text_sync() is that event.
 *
 * No other writer has to be locked out. The kernel's own patching (static keys, ftrace, kprobes)
 * works on other instructions, kprobes keep off the instructions of sites (env_site.h), and no CPU
 * ever sees an instruction that is neither the old nor the new one.
 */
#include <linux/cpu.h>
#include <linux/smp.h>
#include <asm/barrier.h>
#include <asm/cacheflush.h>
#include "patch.h"
#include "quiesce.h"
#include "text_alias.h"

bool marker_text_write_twice;

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	return marker_text_alias_map(alias, patches, n);
}

/* A CPU that comes up would not be interrupted. */
void marker_text_lock(void)
{
	cpus_read_lock();
}

void marker_text_unlock(void)
{
	cpus_read_unlock();
}

/*
 * Instructions are fetched from the point of unification: data caches are cleaned to
 * there, and instruction caches invalidated, for the address that is executed.
 */
void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	u32 *to = marker_text_alias_at(alias, addr), insn;

	memcpy(&insn, bytes, sizeof(insn));
	WRITE_ONCE(*to, insn);
	caches_clean_inval_pou((unsigned long)addr, (unsigned long)addr + len);
}

static void sync_one(void *unused)
{
	isb();
}

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
