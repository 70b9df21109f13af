// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobed: copies its arguments as the probe copy does, and has a kprobe on its
 * own function (row A11 of the thread) while the module is loaded.  The
 * files of tracefs refuse a kprobe on a notrace function, as all probes
 * are, so this module registers the kprobe.
 *
 * kprobe_hits counts the hits of the kprobe; a site of kind "kprobe" is a kprobe by
 * itself, and the kernel ignores a kprobe within another one.
 */
#include <linux/kprobes.h>
#include <linux/moduleparam.h>
#include <linux/stdarg.h>
#include "marker_probe.h"

/* Written by every site that runs: the last value of each is kept. */
static int last_value;
static void *last_pointer;
static atomic_t hits;

static noinline notrace void do_mark1(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	WRITE_ONCE(last_value, va_arg(ap, int));
	WRITE_ONCE(last_pointer, va_arg(ap, void *));
	va_end(ap);
}

static void notrace kprobed(MARKER_PARAMS)
{
	do_mark1(site->format, a, b);
}

static struct marker_probe probe = {
	.name = "kprobed",
	.format = "%d %p",
	.func = kprobed,
	.leaf = true,
	.owner = THIS_MODULE,
};

static int count(struct kprobe *kprobe, struct pt_regs *regs)
{
	atomic_inc(&hits);
	return 0;
}

NOKPROBE_SYMBOL(count);

static struct kprobe kprobe = {
	.addr = (kprobe_opcode_t *)kprobed, .pre_handler = count,
};

static int __init probe_kprobed_init(void)
{
	int ret = register_kprobe(&kprobe);

	if (ret)
		return ret;
	ret = marker_probe_register(&probe);
	if (ret)
		unregister_kprobe(&kprobe);
	return ret;
}

static void __exit probe_kprobed_exit(void)
{
	marker_probe_unregister(&probe);
	unregister_kprobe(&kprobe);
}

module_init(probe_kprobed_init);
module_exit(probe_kprobed_exit);
module_param(last_value, int, 0444);
MODULE_PARM_DESC(last_value, "the integer of the last event");
module_param_named(kprobe_hits, hits.counter, int, 0444);
MODULE_PARM_DESC(kprobe_hits, "times that the kprobe was hit");
MODULE_DESCRIPTION("marker probe with a kprobe on it");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
