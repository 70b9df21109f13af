// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text of the kernel and its modules, reached with what a stock kernel
 * exports.
 *
 * Module text is read-only, and text_poke() is not exported; but its pages
 * can be found and mapped once more, writable, elsewhere.  The kernel's own
 * patching (static keys, ftrace, kprobes) works on other instructions, so
 * there is nothing to lock against but a kprobe at a site, which shows in the
 * bytes (patch.c).
 *
 * Context: all may sleep, but for the trap handler.
 */
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>
#include <asm/processor.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>
#include "patch.h"
#include "text.h"

bool text_settle;
bool text_alone;

static int compare_page(const void *key, const void *elem)
{
	unsigned long a = *(const unsigned long *)key, b = *(const unsigned long *)elem;

	return a < b ? -1 : a > b;
}

/* The pages under the patches, ascending and each once; their number. */
static unsigned int list_pages(const struct patch *patches, unsigned int n,
			       unsigned long *pages)
{
	unsigned int i, npages = 0, n_all;
	unsigned long page, last;

	for (i = 0; i < n; i++) {
		page = (unsigned long)patches[i].addr & PAGE_MASK;
		last = ((unsigned long)patches[i].addr + patches[i].len - 1) & PAGE_MASK;
		for (; page <= last; page += PAGE_SIZE)
			if (!npages || pages[npages - 1] != page)
				pages[npages++] = page;
	}
	sort(pages, npages, sizeof(*pages), compare_page, NULL);
	n_all = npages;
	for (i = 0, npages = 0; i < n_all; i++)
		if (!npages || pages[npages - 1] != pages[i])
			pages[npages++] = pages[i];
	return npages;
}

int text_map(struct text_alias *alias, const struct patch *patches, unsigned int n)
{
	struct page **pages;
	unsigned int i;
	int ret = -ENOMEM;

	alias->pages = kvmalloc_array(2 * n, sizeof(*alias->pages), GFP_KERNEL);
	if (!alias->pages)
		return -ENOMEM;
	alias->npages = list_pages(patches, n, alias->pages);
	pages = kvmalloc_array(alias->npages, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		goto err_pages;
	for (i = 0; i < alias->npages; i++) {
		pages[i] = vmalloc_to_page((void *)alias->pages[i]);
		if (!pages[i]) {
			ret = -EFAULT;
			goto err_map;
		}
	}
	alias->last = 0;
	alias->map = vmap(pages, alias->npages, VM_MAP, PAGE_KERNEL);
	if (!alias->map)
		goto err_map;
	kvfree(pages);
	return 0;

err_map:
	kvfree(pages);
err_pages:
	kvfree(alias->pages);
	return ret;
}

void text_unmap(struct text_alias *alias)
{
	vunmap(alias->map);
	kvfree(alias->pages);
}

void text_write(struct text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	unsigned long page = (unsigned long)addr & PAGE_MASK;
	u8 *to;

	if (alias->pages[alias->last] != page)
		alias->last = (unsigned long *)bsearch(&page, alias->pages, alias->npages,
						       sizeof(page), compare_page) -
			      alias->pages;
	/* A patch over the end of a page has both pages, side by side. */
	to = alias->map + alias->last * PAGE_SIZE + offset_in_page(addr);
	/* Each store to translated code is dear under emulation. */
	for (; len >= 4; len -= 4, to += 4, bytes += 4)
		memcpy(to, bytes, 4);
	while (len--)
		WRITE_ONCE(*to++, *bytes++);
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

void text_report(const struct patch *patch)
{
	pr_err("markers: %pS: found %*ph, expected %*ph%s\n", patch->addr,
	       patch->len, patch->addr, patch->len, patch->old,
	       *patch->addr == INT3_INSN_OPCODE ? ": a kprobe or breakpoint sits there" : "");
}

static int trap(struct notifier_block *nb, unsigned long why, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;
	u8 *addr = (u8 *)regs->ip - INT3_INSN_SIZE, *to;

	if (why != DIE_INT3 || user_mode(regs))
		return NOTIFY_DONE;
	switch (patch_trap(addr, &to)) {
	case PATCH_RETRY:
		int3_emulate_jmp(regs, (unsigned long)addr);
		return NOTIFY_STOP;
	case PATCH_JUMP:
		int3_emulate_jmp(regs, (unsigned long)to);
		return NOTIFY_STOP;
	case PATCH_CALL:
		int3_emulate_call(regs, (unsigned long)to);
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

int text_init(void)
{
	/*
	 * QEMU's multi-threaded emulation can keep running code translated
	 * before it was changed on another CPU; the kernel's own static keys
	 * suffer from it too.  A second store of the same bytes flushes it.
	 */
	text_settle = num_possible_cpus() > 1 && hypervisor_cpuid_base("TCGTCGTCGTCG", 0);
	if (text_settle)
		pr_info("markers: emulated by TCG: bytes are written twice\n");
	return register_die_notifier(&trap_notifier);
}

void text_exit(void)
{
	unregister_die_notifier(&trap_notifier);
}
