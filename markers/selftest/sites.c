// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_test.ko: an instrumented module for the guest tests.  One site of
 * each kind, all of the marker subsys_mark1, and a few with arguments of all
 * types.  "echo N > /sys/kernel/debug/marker_test/fire" runs each N times.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "bench_gates.h"
#include "marker_variants.h"

#define MARK_AUTO	MARK

#define TEST_SITES(X)							\
	X(auto, AUTO) MARKER_VARIANTS(X) MARKER_BENCH_GATES(X) X(call, CALL)

#define TEST_SITE(lower, UPPER)						\
static noinline void fire_##lower(int value)				\
{									\
	MARK_##UPPER(subsys_mark1, "%d %p", value, NULL);		\
}

TEST_SITES(TEST_SITE)

#define TEST_FIRE(lower, UPPER)		fire_##lower,
static void (*const fire_one[])(int) = { TEST_SITES(TEST_FIRE) };

static noinline void fire_types(s8 a, u8 b, s16 c, u16 d, s32 e, u32 f, s64 g, const char *h)
{
	MARK(test_types, "%d %u %d %u %d %u %lld %s", a, b, c, d, e, f, g, h);
	MARK(test_none, "nothing");
	MARK(test_one, "%s", h);
	MARK(test_three, "%d %d %d", a, c, e);
	MARK(test_star, "%*d", a, e);
	MARK(test_five, "%d %d %d %d %d", a, b, c, d, e);
}

/* Copied by the compiler: several gates, one site. */
static noinline void fire_copies(int n)
{
	int i;

#pragma GCC unroll 4
	for (i = 0; i < n; i++) {
		MARK(test_copies, "%d", i);
		barrier();
	}
}

/* One site in two functions. */
static __always_inline void step(int value)
{
	MARK(shared_step, "%d", value);
}

static noinline void fire_left(int value)
{
	step(value);
}

static noinline void fire_right(int value)
{
	step(value + 1);
}

static bool behind;
module_param(behind, bool, 0444);
MODULE_PARM_DESC(behind, "the last argument of the switch of test_behind");

static void set_behind(bool open)
{
	behind = open;
}

static noinline void fire_behind(int value)
{
	if (READ_ONCE(behind))
		MARK_BEHIND(set_behind, test_behind, "%d", value);
}

static ssize_t fire(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned int n, i, k;
	int ret = kstrtouint_from_user(from, count, 10, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		for (k = 0; k < ARRAY_SIZE(fire_one); k++)
			fire_one[k](k);
		fire_behind(i);
		fire_left(i);
		fire_right(i);
		fire_types(-1, 255, -2, 65535, -3, 4294967295u, -4, "text");
		cond_resched();
	}
	fire_copies(n);
	return count;
}

static const struct file_operations fire_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = fire,
};

static struct dentry *dir;

static int __init sites_init(void)
{
	MARK(test_init, "%d", 1);
	dir = debugfs_create_dir("marker_test", NULL);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit sites_exit(void)
{
	debugfs_remove(dir);
}

module_init(sites_init);
module_exit(sites_exit);
MODULE_DESCRIPTION("instrumented module for the tests of markers.ko");
MODULE_LICENSE("GPL");
