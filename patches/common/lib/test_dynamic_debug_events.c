// SPDX-License-Identifier: GPL-2.0-only
/*
 * Debug messages with the conversions of printk(), for tools/testing/selftests/dynamic_debug.
 *
 * Each write to the parameter "run" executes all of them, as pr_debug(), dev_dbg() and
 * netdev_dbg(); a write to "bad" executes those with pointers that printk() may not be given.
 */
#define pr_fmt(fmt) "%s: [%d] " fmt, KBUILD_MODNAME, __LINE__

#include <linux/device.h>
#include <linux/etherdevice.h>
#include <linux/err.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/printk.h>

static struct device *test_dev;
static struct net_device *test_netdev;

static const char test_string[] = "a string";
static const u8 test_bytes[16] = "\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x4b\x4c\x4d\x4e\x4f";
static const unsigned long test_bits[1] = { 0x8421 };
static const phys_addr_t test_phys = 0x1000;
static const dma_addr_t test_dma = 0x2000;
static const u32 test_fourcc = 0x34325241;
static const struct resource test_resource = {
	.start = 0x100, .end = 0x1ff, .flags = IORESOURCE_MEM,
};

/* Parameters, because the compiler would warn if it knew these invalid pointers. */
static char *test_null;
module_param_named(null, test_null, charp, 0);
static char *test_small = (char *)0x10;
module_param_named(small, test_small, charp, 0);
static char test_long[301];

static __printf(1, 2) void test_pr(const char *inner, ...)
{
	struct va_format vaf = { .fmt = inner };
	va_list args;

	va_start(args, inner);
	vaf.va = &args;
#define SITE(...) pr_debug(__VA_ARGS__)
#include "test_dynamic_debug_events.h"
#undef SITE
	pr_debug("two on a line %d\n", 1); pr_debug("two on a line %d\n", 2);
	va_end(args);
}

static __printf(1, 2) void test_dev_dbg(const char *inner, ...)
{
	struct va_format vaf = { .fmt = inner };
	va_list args;

	va_start(args, inner);
	vaf.va = &args;
#define SITE(...) dev_dbg(test_dev, __VA_ARGS__)
#include "test_dynamic_debug_events.h"
#undef SITE
	dev_dbg((struct device *)test_null, "no device=%d\n", 1);
	dev_dbg_ratelimited(test_dev, "ratelimited=%d\n", 1);
	va_end(args);
}

static __printf(1, 2) void test_netdev_dbg(const char *inner, ...)
{
	struct va_format vaf = { .fmt = inner };
	va_list args;

	va_start(args, inner);
	vaf.va = &args;
#define SITE(...) netdev_dbg(test_netdev, __VA_ARGS__)
#include "test_dynamic_debug_events.h"
#undef SITE
	netdev_dbg((struct net_device *)test_null, "no device=%d\n", 1);
	SET_NETDEV_DEV(test_netdev, NULL);
	netdev_dbg(test_netdev, "no parent=%d\n", 1);
	SET_NETDEV_DEV(test_netdev, test_dev);
	va_end(args);
}

/* A site whose function does not get the descriptor. */
static void test_hex_dump(void)
{
	print_hex_dump_debug("dump: ", DUMP_PREFIX_NONE, 16, 1, test_bytes, sizeof(test_bytes),
			     false);
}

static int test_run(const char *text, const struct kernel_param *kp)
{
	test_pr("inner %d %s", 1, test_string);
	test_dev_dbg("inner %d %s", 2, test_string);
	test_netdev_dbg("inner %d %s", 3, test_string);
	test_hex_dump();
	return 0;
}

static const struct kernel_param_ops test_run_ops = { .set = test_run };
module_param_cb(run, &test_run_ops, NULL, 0200);

/* printk() would read at these addresses, so they are to be recorded only. */
static int test_bad(const char *text, const struct kernel_param *kp)
{
	const char *bad = (const char *)(ULONG_MAX / 2 + 0x1000);

	pr_debug("bad=%s\n", bad);
	pr_debug("bad.=%.5s number=%d\n", bad, 1);
	pr_debug("bad mac=%pM number=%d\n", bad, 2);
	return 0;
}

static const struct kernel_param_ops test_bad_ops = { .set = test_bad };
module_param_cb(bad, &test_bad_ops, NULL, 0200);

static int __init test_init(void)
{
	memset(test_long, 'l', sizeof(test_long) - 1);
	test_dev = root_device_register("test_dynamic_debug");
	if (IS_ERR(test_dev))
		return PTR_ERR(test_dev);
	test_netdev = alloc_netdev(0, "testdd0", NET_NAME_UNKNOWN, ether_setup);
	if (!test_netdev) {
		root_device_unregister(test_dev);
		return -ENOMEM;
	}
	SET_NETDEV_DEV(test_netdev, test_dev);
	pr_debug("loaded=%d\n", 1);
	return 0;
}

static void __exit test_exit(void)
{
	free_netdev(test_netdev);
	root_device_unregister(test_dev);
}

module_init(test_init);
module_exit(test_exit);
MODULE_DESCRIPTION("Test of trace events of debug messages");
MODULE_LICENSE("GPL");
