// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of pr_debug() and its relatives, as in drivers: `fire` makes each call N times. This
 * module needs nothing of markers.ko.
 */
#define pr_fmt(fmt) "%s: " fmt, __func__
#include <linux/dynamic_debug.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/printk.h>

static struct platform_device *device;

static noinline void numbers(int i)
{
	pr_debug("port %d status %04x, len=%lu char %c\n", -i, 0x10 + i, 1000ul + i, 'a' + i % 26);
	pr_debug("for %hhd: (%hd) size 0x%llx for %u\n", (signed char)(i - 200), (short)-i,
		 0x123456789abcull + i, 7u);
}

static noinline void texts(int i)
{
	static const u8 mac[] = { 2, 0, 0, 0, 0, 9 };

	pr_debug("queue %d of %s has mac %pM, %*ph %%\n", i, i % 2 ? "eth1" : "eth0", mac, 3, mac);
	pr_debug("text %.*s: %-6s|\n", 2, "abcdef", "xy");
}

static noinline void bad_text(int i)
{
	pr_debug("bad %s good %d\n", (const char *)0xdead000000000100, i);
}

static noinline void many(int i)
{
	pr_debug("%d %d %d %d %d %d %d %s %ld %x %s %d\n", i, i + 1, i + 2, i + 3, i + 4, i + 5,
		 i + 6, "eight", 9L + i, 10 + i, "eleven", 12 + i);
}

static __printf(1, 2) noinline void nested(const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	pr_debug("inner %pV outer %d\n", &vaf, 5);
	va_end(args);
}

static noinline void devices(int i)
{
	dev_dbg(&device->dev, "address %d\n", i);
	dev_dbg(NULL, "no device, %u\n", i);
	netdev_dbg(init_net.loopback_dev, "mtu %u\n", i);
}

static noinline void dump(int i)
{
	print_hex_dump_debug("dump ", DUMP_PREFIX_NONE, 16, 1, &i, sizeof(i), false);
}

static noinline int tail(int i)
{
	pr_debug("tail %d\n", i);
	return 0;
}

/* Calls that are not diverted, as their format is no constant: a kprobe has to record them. */
static noinline void hidden(int i, const char *damage)
{
	DEFINE_DYNAMIC_DEBUG_METADATA(pr, "many %d %s %d %d %ld %d %pM %d %d\n");
	DEFINE_DYNAMIC_DEBUG_METADATA(dev, "address %d of %s\n");
	DEFINE_DYNAMIC_DEBUG_METADATA(netdev, "mtu %d of %s in %d\n");
	const char *pr_format = "hidden: many %d %s %d %d %ld %d %pM %d %d\n";
	const char *dev_format = "address %d of %s\n", *netdev_format = "mtu %d of %s in %d\n";

	if (damage) {
		pr.format = damage;
		return;
	}
	OPTIMIZER_HIDE_VAR(pr_format);
	OPTIMIZER_HIDE_VAR(dev_format);
	OPTIMIZER_HIDE_VAR(netdev_format);
	if (DYNAMIC_DEBUG_BRANCH(pr))
		__dynamic_pr_debug(&pr, pr_format, i, "text", 3, 4, 5l, 6, "macmac", 8, 9);
	if (DYNAMIC_DEBUG_BRANCH(dev))
		__dynamic_dev_dbg(&dev, &device->dev, dev_format, i, "text");
	if (DYNAMIC_DEBUG_BRANCH(netdev))
		__dynamic_netdev_dbg(&netdev, init_net.loopback_dev, netdev_format, -i, "text", 3);
}

/* Two copies of one site, whose blocks the compiler merges into one. */
static __always_inline void one_of_two(int i)
{
	pr_debug("copy %d\n", i);
}

static noinline void copies(int i)
{
	static int odd, even;

	if (i % 2) {
		WRITE_ONCE(odd, odd + 1);
		one_of_two(i);
	} else {
		WRITE_ONCE(even, even + 3);
		one_of_two(i);
	}
}

static int fire(const char *val, const struct kernel_param *kp)
{
	unsigned int i, n;
	int ret = kstrtouint(val, 0, &n);

	for (i = 0; !ret && i < n; i++) {
		numbers(i);
		texts(i);
		many(i);
		nested("%s %d", "deep", i);
		devices(i);
		dump(i);
		copies(i);
		hidden(i, NULL);
		ret = tail(i);
		cond_resched();
	}
	return ret;
}

/* printk() does not survive this one: it is fired alone, while it is not printed. */
static int fire_bad(const char *val, const struct kernel_param *kp)
{
	bad_text(1);
	return 0;
}

/* From now on a descriptor has a bad pointer: nothing but markers.ko may read it then. */
static int damage(const char *val, const struct kernel_param *kp)
{
	hidden(0, (const char *)8);
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire }, fire_bad_ops = { .set = fire_bad },
				    damage_ops = { .set = damage };

module_param_cb(fire, &fire_ops, NULL, 0200);
module_param_cb(fire_bad, &fire_bad_ops, NULL, 0200);
module_param_cb(damage, &damage_ops, NULL, 0200);

static int __init debug_init(void)
{
	pr_debug("init %d\n", 1);
	device = platform_device_register_simple("marker_debug", 3, NULL, 0);
	return PTR_ERR_OR_ZERO(device);
}

static void __exit debug_exit(void)
{
	platform_device_unregister(device);
}

module_init(debug_init);
module_exit(debug_exit);
MODULE_DESCRIPTION("pr_debug() and its relatives, for a test of debug sites");
MODULE_LICENSE("GPL");
