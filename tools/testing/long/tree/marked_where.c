// SPDX-License-Identifier: GPL-2.0-only
/*
 * Markers where an event is not recorded: on a CPU that goes offline, and where RCU is not
 * watching; and one with the name of a trace event.  The parameter passed counts the CPUs that have
 * gone offline; a write to idle passes the marker without RCU.
 */
#define MARK_SYSTEM sched

#include <linux/context_tracking.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/irqflags.h>
#include <linux/marker.h>
#include <linux/module.h>

/* A state that no x86 and no arm64 machine uses, in which a CPU is offline already. */
#define STATE CPUHP_AP_IRQ_MIPS_GIC_STARTING

static unsigned int passed;
module_param(passed, uint, 0444);
MODULE_PARM_DESC(passed, "CPUs that have gone offline");

static int going(unsigned int cpu)
{
	MARK(marked_offline, "cpu=%u", cpu);
	passed++;
	return 0;
}

static int set_idle(const char *text, const struct kernel_param *param)
{
	local_irq_disable();
	ct_idle_enter();
	MARK(marked_idle, "idle");
	ct_idle_exit();
	local_irq_enable();
	MARK(marked_idle, "idle");
	return 0;
}

static const struct kernel_param_ops idle_ops = { .set = set_idle };

module_param_cb(idle, &idle_ops, NULL, 0200);

static int __init marked_where_init(void)
{
	MARK(sched_switch, "number=%d", 1);
	return cpuhp_setup_state_nocalls(STATE, "marked_where", NULL, going);
}
module_init(marked_where_init);

static void __exit marked_where_exit(void)
{
	cpuhp_remove_state_nocalls(STATE);
}
module_exit(marked_where_exit);

MODULE_DESCRIPTION("Markers where events are not recorded");
MODULE_LICENSE("GPL");
