// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text as the kernel itself patches it: text_poke() writes, and text_mutex
 * keeps kprobes, ftrace and static keys out.
 *
 * The kernel's own batches of text changes are not used: the rounds are in
 * kernel/markers/patch.c, which reads the old bytes of all gates before it
 * writes the first, and the breakpoints in trap.c.
 *
 * Who asks jump_label_text_reserved() has the first instruction of each gate
 * decoded, and must not meet an int3 there (MARKER_RESERVE() in env_site.h).
 *
 * Locks, in this order: cpu_hotplug_lock, jump_label_mutex, text_mutex.
 */
#include <linux/cpu.h>
#include <linux/jump_label.h>
#include <linux/memory.h>
#include <linux/smp.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>
#include "patch.h"
#include "quiesce.h"
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

void marker_text_lock(void)
{
	cpus_read_lock();
	jump_label_lock();
	mutex_lock(&text_mutex);
}

void marker_text_unlock(void)
{
	mutex_unlock(&text_mutex);
	jump_label_unlock();
	cpus_read_unlock();
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	text_poke(addr, bytes, len);
}

static void sync_one(void *unused)
{
	sync_core();
}

unsigned int marker_text_sync(void)
{
	on_each_cpu(sync_one, NULL, 1);
	return num_online_cpus();
}

/* The wait takes cpu_hotplug_lock itself. */
void marker_text_quiesce(void)
{
	marker_text_unlock();
	marker_quiesce();
	marker_text_lock();
}

void marker_text_report(const struct marker_patch *patch)
{
	pr_err("%pS: found %*ph, expected %*ph%s\n", patch->addr, patch->len, patch->addr,
	       patch->len, patch->old,
	       *patch->addr == INT3_INSN_OPCODE ? ": a kprobe or breakpoint sits there" : "");
}
