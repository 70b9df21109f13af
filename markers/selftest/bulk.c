// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_bulk.ko: 10,000 sites of MARK() and as many static keys, to be opened
 * together or one by one.
 *
 *	echo 1 > /sys/kernel/debug/marker_bulk/keys	sets all keys; 0 clears them
 *	cat    /sys/kernel/debug/marker_bulk/keys_ns	what that took
 *	echo N > /sys/kernel/debug/marker_bulk/fire	runs all sites and branches N
 *							times; read: branches taken
 */
#include <linux/debugfs.h>
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include "marker.h"
#include "repeat.h"

#define SITE_COUNT 10000

#define SITE(n)		MARK(bulk_site, "%d", value);

#define SITES_FUNCTION(n)						\
static noinline void fire_##n(int value)				\
{									\
	REPEAT_1000(SITE, n)							\
}

SITES_FUNCTION(10)
SITES_FUNCTION(11)
SITES_FUNCTION(12)
SITES_FUNCTION(13)
SITES_FUNCTION(14)
SITES_FUNCTION(15)
SITES_FUNCTION(16)
SITES_FUNCTION(17)
SITES_FUNCTION(18)
SITES_FUNCTION(19)

static void (*const fire_all[])(int) = {
	fire_10, fire_11, fire_12, fire_13, fire_14,
	fire_15, fire_16, fire_17, fire_18, fire_19,
};

/* Each branch has a key of its own, as each site can be opened alone. */
static struct static_key_false keys[SITE_COUNT];
static unsigned int keys_seen;
static u64 keys_ns;

#define KEY(n)								\
	if (static_branch_unlikely(&keys[(n) - 10000]))			\
		keys_seen++;

#define KEYS_FUNCTION(n)						\
static noinline void branch_##n(void)					\
{									\
	REPEAT_1000(KEY, n)							\
}

KEYS_FUNCTION(10)
KEYS_FUNCTION(11)
KEYS_FUNCTION(12)
KEYS_FUNCTION(13)
KEYS_FUNCTION(14)
KEYS_FUNCTION(15)
KEYS_FUNCTION(16)
KEYS_FUNCTION(17)
KEYS_FUNCTION(18)
KEYS_FUNCTION(19)

static void (*const branch_all[])(void) = {
	branch_10, branch_11, branch_12, branch_13, branch_14,
	branch_15, branch_16, branch_17, branch_18, branch_19,
};

static int set_keys(void *data, u64 on)
{
	u64 start = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < SITE_COUNT; i++) {
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
	while (n--)
		for (i = 0; i < ARRAY_SIZE(fire_all); i++) {
			fire_all[i](i);
			branch_all[i]();
		}
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(fire_fops, get_fired, fire, "%llu\n");

static struct dentry *dir;

static int __init bulk_init(void)
{
	dir = debugfs_create_dir("marker_bulk", NULL);
	debugfs_create_file("keys", 0200, dir, NULL, &set_keys_fops);
	debugfs_create_file("keys_ns", 0400, dir, NULL, &keys_ns_fops);
	debugfs_create_file("fire", 0600, dir, NULL, &fire_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit bulk_exit(void)
{
	debugfs_remove(dir);
}

module_init(bulk_init);
module_exit(bulk_exit);
MODULE_DESCRIPTION("10,000 markers and static keys");
MODULE_LICENSE("GPL");
