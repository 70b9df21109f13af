// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_races.ko: markers in a function that has a static key, too, and one in the
 * handler of an NMI, beside a pr_debug().
 *
 *	echo N > /sys/module/marker_races/parameters/fire	runs the function N times
 *	echo 1 > /sys/module/marker_races/parameters/key	opens the key, 0 closes it
 *	echo N > /sys/module/marker_races/parameters/nmi	sends N NMIs to this CPU (x86)
 */
#include <linux/jump_label.h>
#include <linux/module.h>
#include "fire.h"
#include "marker.h"

static DEFINE_STATIC_KEY_FALSE(race_key);

static noinline void fire_all(int value)
{
	MARK(race_site, "%d %p", value, NULL);
	if (static_branch_unlikely(&race_key))
		barrier();
	MARK(race_site, "%d %p", value, NULL);
}

static int set_key(const char *text, const struct kernel_param *param)
{
	bool open;
	int ret = kstrtobool(text, &open);

	if (ret)
		return ret;
	if (open)
		static_branch_enable(&race_key);
	else
		static_branch_disable(&race_key);
	return 0;
}

static const struct kernel_param_ops key_ops = { .set = set_key };

module_param_cb(key, &key_ops, NULL, 0200);
MODULE_PARM_DESC(key, "whether the static key is open");

#ifdef CONFIG_X86_LOCAL_APIC
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#define WAIT_US		1000000u

static DEFINE_PER_CPU(bool, expected);

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!this_cpu_read(expected))
		return NMI_DONE;
	MARK(race_nmi, "%d %p", raw_smp_processor_id(), NULL);
	pr_debug("NMI of CPU %d\n", raw_smp_processor_id());
	this_cpu_write(expected, false);
	return NMI_HANDLED;
}

/* Interrupts are off, so that it is the CPU that gets it which waits. */
static int send_nmi(void)
{
	unsigned long flags;
	unsigned int us;

	local_irq_save(flags);
	this_cpu_write(expected, true);
	apic->send_IPI(raw_smp_processor_id(), NMI_VECTOR);
	for (us = 0; us < WAIT_US && READ_ONCE(*this_cpu_ptr(&expected)); us++)
		udelay(1);
	local_irq_restore(flags);
	return us < WAIT_US ? 0 : -ETIMEDOUT;
}

static int set_nmi(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int ret = kstrtouint(text, 10, &n);

	while (!ret && n--) {
		ret = send_nmi();
		cond_resched();
	}
	return ret;
}

static const struct kernel_param_ops nmi_ops = { .set = set_nmi };

module_param_cb(nmi, &nmi_ops, NULL, 0200);
MODULE_PARM_DESC(nmi, "sends so many NMIs, one after the other");

static int __init races_init(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "marker_races");
}

static void __exit races_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "marker_races");
}

module_init(races_init);
module_exit(races_exit);
#endif

MODULE_DESCRIPTION("markers beside a static key and in an NMI, for the tests of markers.ko");
MODULE_LICENSE("GPL");
