// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_bench.ko: the cases, in a kernel.
 *
 *	/sys/kernel/debug/marker_bench/run	write: options of a run; returns when done
 *	/sys/kernel/debug/marker_bench/raw	read: all samples, as kmark-raw/1
 *	/sys/kernel/debug/marker_bench/method	the methods of timing: methods/debugfs.c
 *	/sys/kernel/debug/marker_bench/cases	read: all cases
 *
 * A run is "disabled" or "enabled", then any of rounds=N, shape=NAME, scale=X;
 * "clear" forgets the samples.  Before "enabled", the user connects a probe
 * to subsys_mark1: this module measures sites, and knows nothing else of
 * markers.ko than the links of sites.  Other mechanisms of the kernel
 * are peers, which this module attaches itself, for as long as
 * the run takes (peer.h).
 *
 * Locks: bench_mutex, held by a run and by a read, so that each waits for the
 * other; a signal ends the wait, and the run.
 */
#include <linux/debugfs.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include "machine.h"
#include "methods/method_files.h"
#include "peer.h"
#include "run.h"
#include "samples.h"

#define COMMAND_MAX	256

static uint rounds = 20;
module_param(rounds, uint, 0644);
MODULE_PARM_DESC(rounds, "rounds of a run that does not say");

static char *scale = "1";
module_param(scale, charp, 0444);
MODULE_PARM_DESC(scale, "factor on all loop counts, as in 0.05");

static uint least_loops;
module_param(least_loops, uint, 0444);
MODULE_PARM_DESC(least_loops, "loops that a scale leaves at least; default 0: one");

static uint most_loops;
module_param(most_loops, uint, 0444);
MODULE_PARM_DESC(most_loops, "a longer sample is split into parts; default 0: never");

static uint seed = 1;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "of the order of the cases");

static int chains = -1;
module_param(chains, int, 0444);
MODULE_PARM_DESC(chains, "1: calibrate each sample, 0: do not, -1: unless emulated");

static char *fence = "";
module_param(fence, charp, 0444);
MODULE_PARM_DESC(fence, "how the counter is read, a name of fence.h; default: the first the CPU has");

static char *env = "";
module_param(env, charp, 0444);
MODULE_PARM_DESC(env, "name of the environment; default: found out");

static DEFINE_MUTEX(bench_mutex);
static struct bench_samples samples;
static struct bench_options defaults;
static struct dentry *directory;

static int progress(unsigned int done, unsigned int total)
{
	return signal_pending(current) ? -EINTR : 0;
}

static int parse_word(struct bench_options *options, const char *word)
{
	if (!strncmp(word, "rounds=", 7) && !kstrtouint(word + 7, 10, &options->rounds) &&
	    options->rounds)
		return 0;
	if (!strncmp(word, "scale=", 6)) {
		options->scale = marker_bench_run_parse_scale(word + 6);
		if (options->scale)
			return 0;
	}
	if (!strncmp(word, "shape=", 6)) {
		options->shape = word + 6;
		return 0;
	}
	if (!strncmp(word, "only=", 5)) {
		options->only = word + 5;
		return 0;
	}
	return -EINVAL;
}

/* "enabled rounds=5 shape=empty only=kprobe_int3"; @line is cut up. */
static int parse_run(struct bench_options *options, char *line)
{
	char *word = strsep(&line, " \t");

	if (!strcmp(word, "enabled"))
		options->state = BENCH_ENABLED;
	else if (!strcmp(word, "disabled"))
		options->state = BENCH_DISABLED;
	else
		goto err;
	while ((word = strsep(&line, " \t")))
		if (*word && parse_word(options, word))
			goto err;
	return 0;

err:
	pr_err("run: \"%s\" is not understood\n", word);
	return -EINVAL;
}

/* marker_bench_run_cases() refuses when the sites are not as the state says. */
static int execute_run(struct bench_options *options)
{
	int ret;

	if (options->state == BENCH_DISABLED)
		return marker_bench_run_cases(options, &samples);
	marker_bench_peers_attach(options->only);
	options->ready = marker_bench_peers_ready;
	ret = marker_bench_run_cases(options, &samples);
	marker_bench_peers_detach();
	return ret;
}

static int execute(char *line)
{
	struct bench_options options = defaults;
	int ret;

	options.rounds = rounds;
	if (!strcmp(line, "clear")) {
		marker_bench_samples_clear(&samples);
		return 0;
	}
	ret = parse_run(&options, line);
	if (!ret)
		ret = execute_run(&options);
	if (ret == -ENOSPC)
		pr_err("run: no room for %u more rounds; write \"clear\" first\n",
		       options.rounds);
	return ret;
}

static ssize_t run_write(struct file *file, const char __user *from, size_t count,
			 loff_t *pos)
{
	char *line;
	int ret;

	if (count > COMMAND_MAX)
		return -EINVAL;
	line = memdup_user_nul(from, count);
	if (IS_ERR(line))
		return PTR_ERR(line);
	ret = mutex_lock_interruptible(&bench_mutex);
	if (ret)
		goto out;
	ret = execute(strim(line));
	mutex_unlock(&bench_mutex);
out:
	kfree(line);
	return ret ?: count;
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = run_write,
	.llseek = noop_llseek,
};

/* Position 0 is the head, position n the n-th sample. */
static void *raw_at(loff_t pos)
{
	if (!pos)
		return SEQ_START_TOKEN;
	return pos <= samples.n ? &samples.at[pos - 1] : NULL;
}

static void *raw_start(struct seq_file *m, loff_t *pos)
{
	int ret = mutex_lock_interruptible(&bench_mutex);

	return ret ? ERR_PTR(ret) : raw_at(*pos);
}

static void *raw_next(struct seq_file *m, void *v, loff_t *pos)
{
	return raw_at(++*pos);
}

static void raw_stop(struct seq_file *m, void *v)
{
	if (!IS_ERR(v))
		mutex_unlock(&bench_mutex);
}

static void print_head(struct seq_file *m)
{
	seq_puts(m, "#kmark-raw/1\n");
	seq_printf(m, "#env\t%s\n", env);
	seq_printf(m, "#cpu\t%s\n", machine_cpu());
	seq_printf(m, "#arch\t%s\n", utsname()->machine);
	seq_printf(m, "#kernel\t%s %s\n", utsname()->sysname, utsname()->release);
	seq_printf(m, "#tsc_khz\t%u\n", machine_tsc_khz());
	seq_printf(m, "#static_key\t%s\n", IS_ENABLED(CONFIG_JUMP_LABEL) ?
		   "patched" : "no jump labels here: a load and a test");
	marker_bench_run_print_method(m, &defaults);
	marker_bench_samples_print_columns(m);
}

static int raw_show(struct seq_file *m, void *v)
{
	if (v == SEQ_START_TOKEN)
		print_head(m);
	else
		marker_bench_samples_print(m, v);
	return 0;
}

static const struct seq_operations raw_sops = {
	.start = raw_start,
	.next = raw_next,
	.stop = raw_stop,
	.show = raw_show,
};

DEFINE_SEQ_ATTRIBUTE(raw);

static int cases_show(struct seq_file *m, void *v)
{
	marker_bench_run_print_cases(m);
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(cases);

static int __init bench_init(void)
{
	int ret;

	defaults.scale = marker_bench_run_parse_scale(scale);
	if (!defaults.scale) {
		pr_err("scale=%s is not a positive number\n", scale);
		return -EINVAL;
	}
	defaults.fence = marker_bench_fence_find(fence);
	if (!defaults.fence || !defaults.fence->has()) {
		pr_err("fence=%s is not known, or this CPU lacks it\n", fence);
		return -EINVAL;
	}
	ret = machine_counter_start();
	if (ret) {
		pr_err("counter cannot be started: %d (-16: perf uses it, -5: it does not count)\n",
		       ret);
		return ret;
	}
	defaults.least_loops = least_loops;
	defaults.most_loops = most_loops;
	defaults.seed = seed;
	defaults.chains = chains < 0 ? !machine_is_emulated() : chains;
	defaults.progress = progress;
	if (!*env)
		env = machine_env();
	marker_bench_run_init(defaults.fence);
	directory = debugfs_create_dir("marker_bench", NULL);
	debugfs_create_file("run", 0200, directory, NULL, &run_fops);
	debugfs_create_file("raw", 0400, directory, NULL, &raw_fops);
	debugfs_create_file("cases", 0400, directory, NULL, &cases_fops);
	marker_bench_method_create(directory, defaults.chains);
	ret = PTR_ERR_OR_ZERO(directory);
	if (ret)
		machine_counter_stop();
	return ret;
}

static void __exit bench_exit(void)
{
	debugfs_remove(directory);
	marker_bench_method_destroy();
	marker_bench_samples_clear(&samples);
	machine_counter_stop();
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("Loops around marker sites, and how long they take");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
