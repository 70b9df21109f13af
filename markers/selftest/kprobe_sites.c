// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_kprobe_sites.ko: sites without code for the guest tests, with arguments in all the places
 * that arguments can be in.  "echo N > /sys/kernel/debug/marker_kprobe_sites/fire"
 * runs each N times.
 */
#include <linux/debugfs.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "marker.h"

struct members {
	s8 a;
	u8 b;
	s16 c;
	u16 d;
	s32 e;
	u32 f;
	s64 g;
	char text[8];
};

static struct members one = { -1, 255, -2, 65535, -3, 4294967295u, -4, "member" };
static s32 table[] = { 10, -11, 12, -13 };
static u64 total;

/*
 * Put an instruction behind a site, since the end of a function of arm64 has an AUTIASP, which
 * refuses kprobes.
 */
static __always_inline void something(void)
{
	WRITE_ONCE(total, total + 1);
}

static noinline __noclone void fire_registers(s8 a, u8 b, s16 c, u16 d, s32 e, u32 f)
{
	MARK_KPROBE(kprobe_registers, "%d %u %d %u %d %u", a, b, c, d, e, f);
	something();
}

static noinline __noclone void fire_members(const struct members *p)
{
	MARK_KPROBE(kprobe_members, "%d %u %d %u %d %u %lld %s", p->a, p->b, p->c, p->d, p->e, p->f,
		    p->g, p->text);
	something();
}

static noinline __noclone void fire_constants(void)
{
	MARK_KPROBE(kprobe_constants, "%d %u %lld %llu %s %s", -1, 4294967295u, -1234567890123ll,
		    12345678901234567890ull, "text", (const char *)NULL);
	something();
}

/* Pass values at fixed addresses, one of them with an index. */
static noinline __noclone void fire_globals(int i)
{
	something();
	MARK_KPROBE(kprobe_globals, "%d %d %s", one.e, table[i], one.text);
	something();
}

/* More arguments than registers: the last are on the stack of the caller. */
static noinline __noclone void fire_stack(long a, long b, long c, long d, long e, long f,
					  int g, s8 h)
{
	MARK_KPROBE(kprobe_stack, "%ld %ld %ld %ld %ld %ld %d %d", a, b, c, d, e, f, g, h);
	something();
}

/* A site with as many arguments as a probe gets in registers, and a site with one more. */
static noinline __noclone void fire_four(long a, long b, long c, long d)
{
	MARK_KPROBE(kprobe_four, "%ld %ld %ld %ld", a, b, c, d);
	something();
}

static noinline __noclone void fire_five(long a, long b, long c, long d, long e)
{
	MARK_KPROBE(kprobe_five, "%ld %ld %ld %ld %ld", a, b, c, d, e);
	something();
}

static noinline __noclone void fire_none(void)
{
	MARK_KPROBE(kprobe_none, "nothing");
	something();
}

/* Copied by the compiler: several gates, one site. */
static noinline __noclone void fire_copies(int n)
{
	int i;

#pragma GCC unroll 4
	for (i = 0; i < n; i++) {
		MARK_KPROBE(kprobe_copies, "%d", i);
		something();
	}
}

/* One site in two functions. */
static __always_inline void shared(int value)
{
	MARK_KPROBE(kprobe_shared, "%d", value);
	something();
}

static noinline __noclone void fire_left(int value)
{
	shared(value);
}

static noinline __noclone void fire_right(int value)
{
	shared(value + 1);
}

/* Room for the jump of an optimised kprobe. */
static noinline __noclone void fire_jump(int value)
{
	MARK_KPROBE(kprobe_jump, "%d", value);
	WRITE_ONCE(table[0], 10);
	WRITE_ONCE(table[1], -11);
}

/* No kprobe may sit here. */
static noinline __noclone void fire_forbidden(int value)
{
	MARK_KPROBE(kprobe_forbidden, "%d", value);
	something();
}

NOKPROBE_SYMBOL(fire_forbidden);

/* Two sites of one marker; a kprobe can be set only on the first. */
static noinline __noclone void fire_mixed(int value)
{
	MARK_KPROBE(kprobe_mixed, "%d", value);
	something();
	MARK(kprobe_mixed, "%d", value);
}

static noinline __noclone void fire_mixed_forbidden(int value)
{
	MARK_KPROBE(kprobe_mixed, "%d", value);
	something();
}

NOKPROBE_SYMBOL(fire_mixed_forbidden);

static ssize_t fire(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned int n, i;
	int ret = kstrtouint_from_user(from, count, 10, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		fire_registers(-1, 255, -2, 65535, -3, 4294967295u);
		fire_members(&one);
		fire_constants();
		fire_globals(i & 3);
		fire_stack(1, -2, 3, -4, 5, -6, -7, -8);
		fire_four(1, -2, 3, -4);
		fire_five(1, -2, 3, -4, 5);
		fire_none();
		fire_left(i);
		fire_right(i);
		fire_jump(i);
		fire_forbidden(i);
		fire_mixed(i);
		fire_mixed_forbidden(i);
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

static int __init kprobe_sites_init(void)
{
	MARK_KPROBE(kprobe_init, "%d", 1);
	dir = debugfs_create_dir("marker_kprobe_sites", NULL);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit kprobe_sites_exit(void)
{
	debugfs_remove(dir);
}

module_init(kprobe_sites_init);
module_exit(kprobe_sites_exit);
MODULE_DESCRIPTION("sites without code, for the tests of markers.ko");
MODULE_LICENSE("GPL");
