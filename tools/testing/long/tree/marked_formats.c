// SPDX-License-Identifier: GPL-2.0-only
/*
 * A marker for each format of format_corpus.h.  In /sys/kernel/debug/marked_formats: a write to
 * fire passes all, and expected has a line for each: name, tab, the text of printk().
 */
#include <linux/debugfs.h>
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "format_corpus.h"

#define FIRE(name, fmt, ...)						\
static noinline void fire_##name(void)					\
{									\
	MARK(format_##name, fmt, ##__VA_ARGS__);			\
}

#define FIRE_BAD(name, text, fmt, ...)	FIRE(name, fmt, ##__VA_ARGS__)
#define CALL(name, ...)			fire_##name();
#define EXPECT(name, fmt, ...)						\
	seq_printf(m, "format_" #name "\t" fmt "\n", ##__VA_ARGS__);
#define EXPECT_BAD(name, text, ...)	seq_puts(m, "format_" #name "\t" text "\n");

FORMATS(FIRE)
BAD_TEXTS(FIRE_BAD)

static ssize_t write_fire(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	FORMATS(CALL)
	BAD_TEXTS(CALL)
	return count;
}

static const struct file_operations fire_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_fire,
};

static int expected_show(struct seq_file *m, void *unused)
{
	FORMATS(EXPECT)
	BAD_TEXTS(EXPECT_BAD)
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(expected);

static int __init marked_formats_init(void)
{
	int ret = format_corpus_init();

	if (ret)
		return ret;
	dir = debugfs_create_dir("marked_formats", NULL);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	debugfs_create_file("expected", 0400, dir, NULL, &expected_fops);
	return 0;
}
module_init(marked_formats_init);

static void __exit marked_formats_exit(void)
{
	debugfs_remove(dir);
	format_corpus_exit();
}
module_exit(marked_formats_exit);

MODULE_DESCRIPTION("Markers with the formats that markers.ko is tested with");
MODULE_LICENSE("GPL");
