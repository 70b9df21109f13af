// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_bulk.ko: 10,000 sites of MARK(), 10,000 branches with a static key for each and 10,000
 * with one key for all, to be opened together or one by one; and the probe "tally".  In debugfs,
 * marker_bulk/:
 *
 *	keys		1 sets the keys of one branch each, 0 clears them
 *	key		the same of the key of 10,000 branches
 *	keys_ns		duration of the last change of either
 *	control		passes written text on to markers/control
 *	connect		ID: calls marker_probe_connect() for each of the 10,000 sites from ID on
 *	control_ns	duration of all writes to these two since the last read
 *	fire		N runs all sites and branches N times; reads as the
 *			number of branches taken
 *	events		runs all sites and reads as the events "tally" saw
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include "bulk_sites.h"
#include "marker_probe.h"
#include "repeat.h"

#define CONTROL "/sys/kernel/debug/markers/control"

/* One key for each branch, because each site can be opened alone. */
static struct static_key_false keys[BULK_SITES];
/* The key of as many branches, which are set in batches. */
static DEFINE_STATIC_KEY_FALSE(key);
static unsigned int keys_seen;
static u64 keys_ns, control_ns;

#define KEY(n)								\
	if (static_branch_unlikely(&keys[(n) - 10000]))			\
		keys_seen++;

#define ONE_KEY(n)							\
	if (static_branch_unlikely(&key))				\
		keys_seen++;

#define KEYS_FUNCTION(n)						\
static noinline void branch_##n(void)					\
{									\
	REPEAT_100(KEY, n)						\
}									\
static noinline void one_key_##n(void)					\
{									\
	REPEAT_100(ONE_KEY, n)						\
}

#define KEYS_FUNCTIONS(n)						\
	KEYS_FUNCTION(n##0) KEYS_FUNCTION(n##1)			\
	KEYS_FUNCTION(n##2) KEYS_FUNCTION(n##3)			\
	KEYS_FUNCTION(n##4) KEYS_FUNCTION(n##5)			\
	KEYS_FUNCTION(n##6) KEYS_FUNCTION(n##7)			\
	KEYS_FUNCTION(n##8) KEYS_FUNCTION(n##9)

KEYS_FUNCTIONS(10)
KEYS_FUNCTIONS(11)
KEYS_FUNCTIONS(12)
KEYS_FUNCTIONS(13)
KEYS_FUNCTIONS(14)
KEYS_FUNCTIONS(15)
KEYS_FUNCTIONS(16)
KEYS_FUNCTIONS(17)
KEYS_FUNCTIONS(18)
KEYS_FUNCTIONS(19)

#define BRANCH(n)	branch_##n,

#define ONE_KEY_BRANCH(n)	one_key_##n,

static void (*const branch_all[])(void) = { REPEAT_100(BRANCH, 1) REPEAT_100(ONE_KEY_BRANCH, 1) };

static int set_keys(void *data, u64 on)
{
	u64 start = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < BULK_SITES; i++) {
		if (on)
			static_branch_enable(&keys[i]);
		else
			static_branch_disable(&keys[i]);
		cond_resched();
	}
	keys_ns = ktime_get_ns() - start;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(set_keys_fops, NULL, set_keys, "%llu\n");

static int set_key(void *data, u64 on)
{
	u64 start = ktime_get_ns();

	if (on)
		static_branch_enable(&key);
	else
		static_branch_disable(&key);
	keys_ns = ktime_get_ns() - start;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(set_key_fops, NULL, set_key, "%llu\n");

static int get_keys_ns(void *data, u64 *ns)
{
	*ns = keys_ns;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(keys_ns_fops, get_keys_ns, NULL, "%llu\n");

static int get_fired(void *data, u64 *seen)
{
	*seen = keys_seen;
	return 0;
}

static int fire(void *data, u64 n)
{
	unsigned int i;

	keys_seen = 0;
	while (n--) {
		marker_bulk_run_sites();
		for (i = 0; i < ARRAY_SIZE(branch_all); i++)
			branch_all[i]();
	}
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(fire_fops, get_fired, fire, "%llu\n");

/*
 * Commands come from user space one write at a time, and the clock of a shell would include the
 * time between the writes.
 */
static ssize_t write_control(struct file *unused, const char __user *from, size_t count,
			     loff_t *pos)
{
	struct file *file = filp_open(CONTROL, O_WRONLY, 0);
	ssize_t ret;
	u64 start;

	if (IS_ERR(file))
		return PTR_ERR(file);
	start = ktime_get_ns();
	ret = file->f_op->write(file, from, count, pos);
	control_ns += ktime_get_ns() - start;
	filp_close(file, NULL);
	return ret;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.write = write_control,
};

static int connect(void *data, u64 first)
{
	u64 start = ktime_get_ns();
	char selector[24];
	u64 id;
	int ret = 0;

	for (id = first; id < first + BULK_SITES && !ret; id++) {
		snprintf(selector, sizeof(selector), "site:%llu", id);
		ret = marker_probe_connect(&marker_bulk_probe, selector, NULL);
		cond_resched();
	}
	control_ns += ktime_get_ns() - start;
	return ret;
}
DEFINE_DEBUGFS_ATTRIBUTE(connect_fops, NULL, connect, "%llu\n");

static int get_control_ns(void *data, u64 *ns)
{
	*ns = control_ns;
	control_ns = 0;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(control_ns_fops, get_control_ns, NULL, "%llu\n");

static int get_events(void *data, u64 *events)
{
	*events = marker_bulk_count_events();
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(events_fops, get_events, NULL, "%llu\n");

static struct dentry *dir;

static int __init bulk_init(void)
{
	int ret = marker_probe_register(&marker_bulk_probe);

	if (ret)
		return ret;
	dir = debugfs_create_dir("marker_bulk", NULL);
	debugfs_create_file("keys", 0200, dir, NULL, &set_keys_fops);
	debugfs_create_file("key", 0200, dir, NULL, &set_key_fops);
	debugfs_create_file("connect", 0200, dir, NULL, &connect_fops);
	debugfs_create_file("keys_ns", 0400, dir, NULL, &keys_ns_fops);
	debugfs_create_file("control", 0200, dir, NULL, &control_fops);
	debugfs_create_file("control_ns", 0400, dir, NULL, &control_ns_fops);
	debugfs_create_file("fire", 0600, dir, NULL, &fire_fops);
	debugfs_create_file("events", 0400, dir, NULL, &events_fops);
	return 0;
}

static void __exit bulk_exit(void)
{
	debugfs_remove(dir);
	marker_probe_unregister(&marker_bulk_probe);
}

module_init(bulk_init);
module_exit(bulk_exit);
MODULE_DESCRIPTION("10,000 markers and static keys");
MODULE_LICENSE("GPL");
