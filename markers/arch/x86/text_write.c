// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes text of modules through a writable alias of its pages (text_alias.c), and interrupts all
 * CPUs so that they execute the written text.
 *
 * Context: task, interrupts on, marker_text_lock().
 */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <asm/sync_core.h>
#include "text_alias.h"

bool marker_text_write_twice;

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	u8 *to = marker_text_alias_at(alias, addr);

	/* A store to translated code is expensive under emulation. */
	for (; len >= 4; len -= 4, to += 4, bytes += 4)
		memcpy(to, bytes, 4);
	while (len--)
		WRITE_ONCE(*to++, *bytes++);
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
