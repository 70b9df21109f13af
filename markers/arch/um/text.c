// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text of modules in User-Mode Linux, on x86-64.
 *
 * This text is writable. There is one CPU, no task is preempted, and from marker_text_lock() to
 * marker_text_unlock() there are no interrupts either, so a transaction is one step for all other
 * code: no code meets its breakpoints, and there is nothing to wait for. A CPU sees its own stores
 * to the address that it executes (Intel SDM vol. 3A, 9.1.3).
 */
#include <linux/irqflags.h>
#include <linux/vmalloc.h>
#include "patch.h"
#include "text.h"

bool marker_text_write_twice;

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!is_vmalloc_addr(patches[i].addr))
			return -EFAULT;
	return 0;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
}

void marker_text_lock(void)
{
	local_irq_disable();
}

void marker_text_unlock(void)
{
	local_irq_enable();
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	while (len--)
		WRITE_ONCE(*addr++, *bytes++);
}

unsigned int marker_text_sync(void)
{
	barrier();
	return 0;
}

void marker_text_quiesce(void)
{
}

void marker_text_report(const struct marker_patch *patch)
{
	pr_err("%pS: found %*ph, expected %*ph\n", patch->addr, patch->len, patch->addr, patch->len,
	       patch->old);
}

int marker_trap_init(void)
{
	return 0;
}

void marker_trap_exit(void)
{
}
