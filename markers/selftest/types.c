// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_types.ko: events whose every argument follows from their number, so
 * that a reader can distinguish a whole event from a torn one, and a complete trace
 * from one with gaps.
 *
 *	types_ints	"%d %u %d %u %d %u %lld %llu"
 *			s8 u8 s16 u16 s32, the number as u32, s64 u64
 *	types_texts	"%u %s %s %p"
 *			the number as u32, a text, NULL or a text, a pointer
 *
 * In /sys/kernel/debug/marker_types:
 *
 *	fire	write N: N events of each marker, numbered from 0, on this CPU
 *	fire_ms	write MS: as many events as fit into MS milliseconds
 *	fired	read: events of both since this module was loaded
 *	packets	write N: N events each of packet_sent and packet_queued, whose formats name
 *		their fields: "len=%u dev=%s", where dev is eth0 for even numbers and lo for
 *		odd ones, and "len=%u queue=%u"; both have their number as len
 *
 * While a process fires with the parameter timer_us=N set, a timer interrupt of
 * that CPU fires an event of each marker, too, every N microseconds.  These events have numbers of
 * their own.
 *
 * value_of_*() below has the arguments of event number n, and so has
 * tools/testing/guest/marker_types.py.
 *
 * Locks: none; each writer counts for itself.
 */
#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "marker.h"

#define MS_MAX		600000u
#define BATCH		256u		/* events between two looks at the clock */

static unsigned int timer_us;
module_param(timer_us, uint, 0644);
MODULE_PARM_DESC(timer_us, "also fire in a timer interrupt every so many microseconds; 0: no");

static DEFINE_PER_CPU(u64, fired);
static struct dentry *dir;

/* Number of events that the timer interrupt has fired. */
static DEFINE_PER_CPU(u32, timer_number);

static const char *const texts[] = {
	"", "a", "four", "a text of some length, with a comma and \"quotes\"",
};

static const char *value_of_text(u32 n)
{
	return texts[n % ARRAY_SIZE(texts)];
}

/* Return the second text of an event: NULL for odd numbers. */
static const char *value_of_nullable(u32 n)
{
	return n & 1 ? NULL : "even";
}

static void *value_of_pointer(u32 n)
{
	return (void *)(0xffff800000000000ul + 4096ul * n);
}

static noinline void fire_ints(u32 n)
{
	MARK(types_ints, "%d %u %d %u %d %u %lld %llu", (s8)n, (u8)(n * 3), (s16)-n,
	     (u16)(n * 5), (s32)(-n * 65537u), n, (s64)(-(u64)n * 0x100000001ull),
	     (u64)n * 0x9e3779b97f4a7c15ull);
}

static noinline void fire_texts(u32 n)
{
	MARK(types_texts, "%u %s %s %p", n, value_of_text(n), value_of_nullable(n),
	     value_of_pointer(n));
}

static noinline void fire_packets(u32 n)
{
	MARK(packet_sent, "len=%u dev=%s", n, n & 1 ? "lo" : "eth0");
	MARK(packet_queued, "len=%u queue=%u", n, 7);
}

static void fire_both(u32 n)
{
	fire_ints(n);
	fire_texts(n);
	this_cpu_add(fired, 2);
}

/* A timer of the CPU that is firing. */
struct storm {
	struct hrtimer timer;
	ktime_t period;
};

static enum hrtimer_restart fire_in_timer(struct hrtimer *timer)
{
	struct storm *storm = container_of(timer, struct storm, timer);

	fire_both(this_cpu_inc_return(timer_number) - 1);
	hrtimer_forward_now(timer, storm->period);
	return HRTIMER_RESTART;
}

static void storm_begin(struct storm *storm)
{
	storm->period = ns_to_ktime((u64)READ_ONCE(timer_us) * NSEC_PER_USEC);
	if (!storm->period)
		return;
	hrtimer_setup_on_stack(&storm->timer, fire_in_timer, CLOCK_MONOTONIC,
			       HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&storm->timer, storm->period, HRTIMER_MODE_REL_PINNED_HARD);
}

static void storm_end(struct storm *storm)
{
	if (!storm->period)
		return;
	hrtimer_cancel(&storm->timer);
	destroy_hrtimer_on_stack(&storm->timer);
}

/* @n events of each marker, or until @until (ns, monotonic) when that is not 0. */
static int fire_many(u32 n, u64 until)
{
	struct storm storm;
	int ret = 0;
	u32 i;

	storm_begin(&storm);
	for (i = 0; until || i < n; i++) {
		fire_both(i);
		if (i % BATCH)
			continue;
		if (until && ktime_get_ns() >= until)
			break;
		ret = fatal_signal_pending(current) ? -EINTR : 0;
		if (ret)
			break;
		cond_resched();
	}
	storm_end(&storm);
	return ret;
}

static ssize_t write_fire(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned int n;
	int ret = kstrtouint_from_user(from, count, 10, &n);

	return ret ?: fire_many(n, 0) ?: count;
}

static ssize_t write_packets(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	unsigned int n, i;
	int ret = kstrtouint_from_user(from, count, 10, &n);

	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		fire_packets(i);
	return count;
}

static ssize_t write_fire_ms(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	unsigned int ms;
	int ret = kstrtouint_from_user(from, count, 10, &ms);

	if (!ret && (!ms || ms > MS_MAX))
		ret = -ERANGE;
	return ret ?: fire_many(0, ktime_get_ns() + (u64)ms * NSEC_PER_MSEC) ?: count;
}

static int fired_show(struct seq_file *m, void *unused)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(fired, cpu);
	seq_printf(m, "%llu\n", sum);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(fired);

static const struct file_operations fire_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_fire,
};

static const struct file_operations fire_ms_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_fire_ms,
};

static const struct file_operations packets_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_packets,
};

static int __init types_init(void)
{
	dir = debugfs_create_dir("marker_types", NULL);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	debugfs_create_file("fire_ms", 0200, dir, NULL, &fire_ms_fops);
	debugfs_create_file("packets", 0200, dir, NULL, &packets_fops);
	debugfs_create_file("fired", 0400, dir, NULL, &fired_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit types_exit(void)
{
	debugfs_remove(dir);
}

module_init(types_init);
module_exit(types_exit);
MODULE_DESCRIPTION("events of all types of arguments, for the tests of recorders");
MODULE_LICENSE("GPL");
