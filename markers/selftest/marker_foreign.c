// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_foreign.ko: writes text of modules as foreign code would, without locks.
 *
 *	echo "ADDRESS BYTES" > /sys/kernel/debug/marker_foreign/text
 *
 * writes bytes (hexadecimal, at most 6) at an address of a module; without
 * BYTES it writes nothing.  Then `text` reads as the 16 bytes there.
 *
 * Independent of markers.ko, so that it can be there when that is not.
 */
#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/cacheflush.h>
#include "compat.h"
#ifdef CONFIG_X86
#include <asm/sync_core.h>
#else
/* flush_icache_range() does it where caches are not coherent. */
static inline void sync_core(void)
{
}
#endif

#define BYTES_MAX	6
#define SHOWN		16

static DEFINE_MUTEX(mutex);
static u8 *address;

static void sync_one(void *unused)
{
	sync_core();
}

/*
 * Write the bytes, and again those that are still there, for emulators:
 * markers/arch/x86/trap.c says why.  In between markers.ko may have found them, and have
 * begun to replace them.
 */
static int write_text(u8 *to, const u8 *bytes, unsigned int len)
{
	struct page *pages[] = { vmalloc_to_page(to), vmalloc_to_page(to + len - 1) };
	unsigned int i, n = pages[0] == pages[1] ? 1 : 2, pass;
	u8 *map, *alias;

	if (!pages[0] || !pages[1])
		return -EFAULT;
	map = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	if (!map)
		return -ENOMEM;
	alias = map + offset_in_page(to);
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < len; i++)
			if (pass)
				cmpxchg(alias + i, bytes[i], bytes[i]);
			else
				WRITE_ONCE(alias[i], bytes[i]);
		flush_icache_range((unsigned long)to, (unsigned long)to + len);
		on_each_cpu(sync_one, NULL, 1);
	}
	vunmap(map);
	return 0;
}

static ssize_t write_command(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[64], hex[2 * BYTES_MAX + 1] = "";
	u8 bytes[BYTES_MAX];
	unsigned long to;
	int ret = 0;

	if (count >= sizeof(text))
		return -E2BIG;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%lx %12s", &to, hex) < 1 || strlen(hex) % 2 ||
	    hex2bin(bytes, hex, strlen(hex) / 2))
		return -EINVAL;
	mutex_lock(&mutex);
	address = (u8 *)to;
	if (*hex)
		ret = write_text(address, bytes, strlen(hex) / 2);
	mutex_unlock(&mutex);
	return ret ?: count;
}

static int show(struct seq_file *m, void *unused)
{
	u8 bytes[SHOWN];
	int ret = -ENODATA;

	mutex_lock(&mutex);
	if (address)
		ret = copy_from_kernel_nofault(bytes, address, sizeof(bytes));
	mutex_unlock(&mutex);
	if (!ret)
		seq_printf(m, "%*phN\n", SHOWN, bytes);
	return ret;
}

static int open_text(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct file_operations text_fops = {
	.owner = THIS_MODULE,
	.open = open_text,
	.read = seq_read,
	.write = write_command,
	.llseek = seq_lseek,
	.release = single_release,
};

static struct dentry *dir;

static int __init foreign_init(void)
{
	dir = debugfs_create_dir("marker_foreign", NULL);
	debugfs_create_file("text", 0600, dir, NULL, &text_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit foreign_exit(void)
{
	debugfs_remove(dir);
}

module_init(foreign_init);
module_exit(foreign_exit);
MODULE_DESCRIPTION("writes foreign bytes into the text of modules");
MODULE_LICENSE("GPL");
