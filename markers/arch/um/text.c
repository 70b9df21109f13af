// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text of modules in User-Mode Linux, on x86-64.
 *
 * It is writable as it is.  There is one CPU, nothing is preempted, and from
 * marker_text_lock() to marker_text_unlock() there are no interrupts either, so a transaction
 * is one step to everybody else: nobody meets its breakpoints, and there is
 * nobody to wait for.  A CPU sees its own stores to the address it executes
 * (Intel SDM vol. 3A, 9.1.3).
 */
#include <linux/irqflags.h>
#include <linux/vmalloc.h>
#include "patch.h"
#include "text.h"

bool text_settle;

int text_map(struct text_alias *alias, const struct patch *patches, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!is_vmalloc_addr(patches[i].addr))
			return -EFAULT;
	return 0;
}

void text_unmap(struct text_alias *alias)
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

void text_write(struct text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	while (len--)
		WRITE_ONCE(*addr++, *bytes++);
}

unsigned int text_sync(void)
{
	barrier();
	return 0;
}

void text_quiesce(void)
{
}

void text_report(const struct patch *patch)
{
	pr_err("markers: %pS: found %*ph, expected %*ph\n", patch->addr,
	       patch->len, patch->addr, patch->len, patch->old);
}

int text_init(void)
{
	return 0;
}

void text_exit(void)
{
}
