// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_hammer.ko: the hammer on the kernel's own CPUs.
 *
 *	echo "GATE TOGGLES" > /sys/kernel/debug/marker_hammer/run
 *
 * runs all places of that gate ("all": every gate), the running thread on
 * another CPU than the writer; `result` then has a line of KTAP for each.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "hammer.h"

struct result {
	int ret;
	unsigned long toggles;
	struct marker_patch_stats sum;
};

static bool pages = true;
module_param(pages, bool, 0644);
MODULE_PARM_DESC(pages, "also gates that lie across the end of a page");

static struct result results[32];	/* one a hammer */
static struct dentry *dir;
static DEFINE_MUTEX(run_mutex);

static int runner(void *data)
{
	while (!kthread_should_stop()) {
		marker_hammer_pass(data);
		/* The wait for split gates looks for voluntary switches. */
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static int strike(struct marker_hammer *h, struct result *result, unsigned long toggles)
{
	struct task_struct *task = kthread_create(runner, h, "marker_hammer");
	unsigned int cpu;

	if (IS_ERR(task))
		return PTR_ERR(task);
	h->runs = 0;
	h->wrong = 0;
	cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (cpu < nr_cpu_ids)
		kthread_bind(task, cpu);
	wake_up_process(task);
	result->toggles = toggles;
	result->ret = marker_hammer_toggle(h, toggles, &result->sum);
	/* Count events with an unchanging gate, too. */
	msleep(20);
	kthread_stop(task);
	return 0;
}

static int strike_all(const char *kind, unsigned long toggles)
{
	unsigned int i, n = 0;
	int ret = 0;

	memset(results, 0, sizeof(results));
	for (i = 0; i < marker_nhammers && !ret; i++) {
		if (strcmp(kind, "all") && strcmp(kind, marker_hammers[i].kind))
			continue;
		if (!pages && marker_hammers[i].across == PAGE_SIZE)
			continue;
		ret = strike(&marker_hammers[i], &results[i], toggles);
		n++;
	}
	return n ? ret : -ENOENT;
}

static ssize_t run_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[64], kind[16];
	unsigned long toggles;
	int ret;

	if (count >= sizeof(text))
		return -E2BIG;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%15s %lu", kind, &toggles) != 2)
		return -EINVAL;
	mutex_lock(&run_mutex);
	ret = strike_all(kind, toggles);
	mutex_unlock(&run_mutex);
	return ret ?: count;
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = run_write,
};

static int result_show(struct seq_file *m, void *unused)
{
	unsigned int i, n = 0;

	mutex_lock(&run_mutex);
	for (i = 0; i < marker_nhammers; i++) {
		const struct marker_hammer *h = &marker_hammers[i];
		const struct result *r = &results[i];

		if (!r->toggles)
			continue;
		seq_printf(m, "%sok %u - %s, %s: %lu toggles, %lu runs, %lu wrong, %lu traps, %llu ns a toggle%s\n",
			   r->ret || h->wrong || !h->runs ? "not " : "", ++n, h->kind, h->place,
			   r->toggles, h->runs, h->wrong, r->sum.traps,
			   div64_ul(r->sum.ns, r->toggles), r->ret ? ", patching failed" : "");
	}
	seq_printf(m, "1..%u\n", n);
	mutex_unlock(&run_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(result);

static int __init hammer_kernel_init(void)
{
	int ret;

	BUILD_BUG_ON(ARRAY_SIZE(results) < 19);
	mutex_lock(&marker_mutex);
	ret = marker_hammer_init();
	mutex_unlock(&marker_mutex);
	if (ret)
		return ret;
	dir = debugfs_create_dir("marker_hammer", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_fops);
	debugfs_create_file("result", 0400, dir, NULL, &result_fops);
	return PTR_ERR_OR_ZERO(dir);
}

static void __exit hammer_kernel_exit(void)
{
	debugfs_remove(dir);
}

module_init(hammer_kernel_init);
module_exit(hammer_kernel_exit);
MODULE_DESCRIPTION("opens and closes gates while they run");
MODULE_LICENSE("GPL");
