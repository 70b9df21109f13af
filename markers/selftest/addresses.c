// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_addresses.ko: events that hold the address of a function, fire_addresses().
 *
 *	address_hidden	"%p %pK %p %lu"
 *			twice the function, NULL, the number of the event
 *	address_shown	"%px"
 *			the function
 *
 * In /sys/kernel/debug/marker_addresses:
 *
 *	fire	write N: N events of each marker
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "marker.h"

static struct dentry *dir;

static noinline void fire_addresses(unsigned long n)
{
	MARK(address_hidden, "%p %pK %p %lu", (void *)fire_addresses, (void *)fire_addresses,
	     (void *)NULL, n);
	MARK(address_shown, "%px", (void *)fire_addresses);
}

static ssize_t write_fire(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned int n, i;
	int ret = kstrtouint_from_user(from, count, 10, &n);

	for (i = 0; !ret && i < n; i++)
		fire_addresses(i);
	return ret ?: count;
}

static const struct file_operations fire_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_fire,
};

static int __init addresses_init(void)
{
	dir = debugfs_create_dir("marker_addresses", NULL);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit addresses_exit(void)
{
	debugfs_remove(dir);
}

module_init(addresses_init);
module_exit(addresses_exit);
MODULE_DESCRIPTION("events with an address, for the tests of recorders");
MODULE_LICENSE("GPL");
