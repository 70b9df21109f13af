// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text as the kernel itself patches it: text_poke() writes, and text_mutex
 * keeps kprobes, ftrace and static keys out.
 *
 * text_poke_bp() is not used: it cannot express what an int3 in the place of
 * most gates stands for, and has a round of IPIs more than a one-byte change
 * needs.  The rounds are in kernel/markers/patch.c, the breakpoints in trap.c.
 *
 * Locks: text_mutex from text_map() to text_unmap().
 */
#include <linux/memory.h>
#include <linux/smp.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>
#include "patch.h"
#include "quiesce.h"
#include "text.h"

int text_map(struct text_alias *alias, const struct patch *patches, unsigned int n)
{
	mutex_lock(&text_mutex);
	return 0;
}

void text_unmap(struct text_alias *alias)
{
	mutex_unlock(&text_mutex);
}

void text_write(struct text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	text_poke(addr, bytes, len);
}

static void sync_one(void *unused)
{
	sync_core();
}

unsigned int text_sync(void)
{
	on_each_cpu(sync_one, NULL, 1);
	return num_online_cpus();
}

/*
 * The wait takes cpu_hotplug_lock, under which kprobes take text_mutex.  The
 * sites have their breakpoints by now, and nobody else patches them.
 */
void text_quiesce(void)
{
	mutex_unlock(&text_mutex);
	quiesce();
	mutex_lock(&text_mutex);
}
