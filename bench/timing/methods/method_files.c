// SPDX-License-Identifier: GPL-2.0-only
/*
 * The methods of timing, in a kernel.
 *
 *	/sys/kernel/debug/marker_bench/method
 *		write: a series to take (series.h: marker_bench_series_parse()), or "clear";
 *		       returns when it is done
 *		read: records of kmark-raw/1, without a head, which "raw" has
 *
 * Locks: method_mutex, held by a write and by a read.  A run of the cases
 * does not take this lock, so start runs and series one after the other.
 */
#include <linux/debugfs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "method_files.h"
#include "series.h"
#include "skew.h"

#define COMMAND_MAX	256

static DEFINE_MUTEX(method_mutex);
static LIST_HEAD(all_series);
static bool with_chains;

static int progress(unsigned int done, unsigned int total)
{
	return signal_pending(current) ? -EINTR : 0;
}

static int execute(char *line)
{
	struct series_plan plan;
	int ret;

	if (!strcmp(line, "clear")) {
		marker_bench_series_clear(&all_series);
		return 0;
	}
	ret = marker_bench_series_parse(&plan, line);
	return ret ?: marker_bench_series_run(&all_series, &plan, with_chains, progress);
}

static ssize_t method_write(struct file *file, const char __user *from, size_t count,
			    loff_t *pos)
{
	char *line;
	int ret;

	if (count > COMMAND_MAX)
		return -EINVAL;
	line = memdup_user_nul(from, count);
	if (IS_ERR(line))
		return PTR_ERR(line);
	ret = mutex_lock_interruptible(&method_mutex);
	if (!ret) {
		ret = execute(strim(line));
		mutex_unlock(&method_mutex);
	}
	kfree(line);
	return ret ?: count;
}

static int method_show(struct seq_file *m, void *v)
{
	struct series *series;
	unsigned int number = 0;
	int ret = mutex_lock_interruptible(&method_mutex);

	if (ret)
		return ret;
	marker_bench_series_print_columns(m);
	list_for_each_entry(series, &all_series, of)
		marker_bench_series_print(m, series, number++);
	mutex_unlock(&method_mutex);
	marker_bench_skew_print_columns(m);
	marker_bench_skew_print(m);
	return 0;
}

static int method_open(struct inode *inode, struct file *file)
{
	return single_open(file, method_show, NULL);
}

static const struct file_operations method_fops = {
	.owner = THIS_MODULE,
	.open = method_open,
	.read = seq_read,
	.write = method_write,
	.llseek = seq_lseek,
	.release = single_release,
};

void marker_bench_method_create(struct dentry *directory, bool chains)
{
	with_chains = chains;
	debugfs_create_file("method", 0600, directory, NULL, &method_fops);
}

void marker_bench_method_destroy(void)
{
	marker_bench_series_clear(&all_series);
}
