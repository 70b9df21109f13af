// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_formats.ko: a marker for each conversion of printk(), and the texts that printk()
 * makes of the same arguments.
 *
 *	format_text_NAME	one text: %s, and pointers to decoded objects
 *	format_word_NAME	numbers, and texts with a width
 *	format_hash_NAME	plain pointers, which printk() hashes
 *	format_bad_NAME		addresses without a text
 *	refused_NAME		conversions that no probe can record
 *	star_NAME		widths and precisions that are too large
 *	control_NAME		control characters
 *	enable, filter		called as files of tracefs are
 *
 * In /sys/kernel/debug/marker_formats:
 *
 *	fire		write anything: each marker once
 *	expected	read: a line for each marker: name, tab, text
 *
 * Texts with a width are in brackets, because the end of a line may be trimmed.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "marker.h"
#include "format_corpus.h"

static struct {
	bool on:1;
	unsigned int mode:3, all:32;
	int level:4;
	unsigned char narrow:7;
	enum { FORMATS_IDLE, FORMATS_BUSY } state:2;
	u64 wide:40, widest:63;
	s64 balance:33;
} fields = { true, 5, 0xffffffff, -3, 100, FORMATS_BUSY, 0xfedcba9876, 1ull << 62, -(1ll << 32) };

#define BIT_FORMATS(X)							\
	X(word_bits, "on=%d mode=%u all=%u level=%d narrow=%hhu state=%d", fields.on, fields.mode, \
	  fields.all, fields.level, fields.narrow, fields.state)	\
	X(word_bits_wide, "wide=%llx widest=%llu balance=%lld", fields.wide + 0ull, \
	  fields.widest + 0ull, fields.balance + 0ll)

#define ALL_FORMATS(X)	FORMATS(X) BIT_FORMATS(X) NULL_FORMATS(X)
#define BAD_FORMATS(X)	BAD_TEXTS(X) BAD_POINTERS(X)

#define FIRE(name, fmt, ...)						\
static noinline void fire_##name(void)					\
{									\
	MARK(format_##name, fmt, ##__VA_ARGS__);			\
}

#define FIRE_BAD(name, text, fmt, ...)	FIRE(name, fmt, ##__VA_ARGS__)
#define FIRE_REFUSED(name, fmt, ...)					\
static noinline void fire_##name(void)					\
{									\
	MARK(name, fmt, ##__VA_ARGS__);					\
}

ALL_FORMATS(FIRE)
BAD_FORMATS(FIRE_BAD)
REFUSED_FORMATS(FIRE_REFUSED)

static noinline void fire_long(void)
{
	MARK(format_bad_long, "%s", long_text);
}

/* More text than the recorder keeps between measuring and storing an event. */
static noinline void fire_long_texts(void)
{
	MARK(long_texts, "%s %s %s %s", long_text, long_text, "short", long_text + 1);
}

static noinline void fire_long_star(void)
{
	MARK(format_bad_long_star, "%.*s", (int)LONG_TEXT, long_text);
}

/* Wider than printf() accepts without a warning; and texts that look like other lines. */
static noinline void fire_stars(int width)
{
	MARK(star_width, "[%*d]", width, 1);
	MARK(star_precision, "[%.*d]", width, 2);
	MARK(star_text, "[%*s]", width, "text");
	MARK(control_text, "%s", "first\nforged: line\033[2J");
	MARK(control_char, "%c%d\t|\n", '\n', 3);
	MARK(control_nul, "%*pEs, %d", 4, "ab\0c", 77);
}

static noinline void fire_names(void)
{
	MARK(enable, "%d", 1);
	MARK(filter, "%d", 1);
	MARK(current, "%d", 1);
}

#define CALL(name, ...)		fire_##name();

static ssize_t write_fire(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	ALL_FORMATS(CALL)
	BAD_FORMATS(CALL)
	REFUSED_FORMATS(CALL)
	fire_long();
	fire_long_texts();
	fire_long_star();
	fire_stars(1 << 30);
	fire_names();
	return count;
}

#define EXPECT(name, fmt, ...)						\
	seq_printf(m, "format_" #name "\t" fmt "\n", ##__VA_ARGS__);
#define EXPECT_BAD(name, text, ...)	seq_puts(m, "format_" #name "\t" text "\n");

static int expected_show(struct seq_file *m, void *unused)
{
	ALL_FORMATS(EXPECT)
	BAD_FORMATS(EXPECT_BAD)
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(expected);

static const struct file_operations fire_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = write_fire,
};

static int __init formats_init(void)
{
	int ret = format_corpus_init();

	if (ret)
		return ret;
	dir = debugfs_create_dir("marker_formats", NULL);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	debugfs_create_file("expected", 0400, dir, NULL, &expected_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit formats_exit(void)
{
	debugfs_remove(dir);
	format_corpus_exit();
}

module_init(formats_init);
module_exit(formats_exit);
MODULE_DESCRIPTION("markers with every conversion of printk(), for the tests of probes");
MODULE_LICENSE("GPL");
