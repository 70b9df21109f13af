// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_slow.ko: the probe "slow MS", for which a disconnect has to wait. For the first event it
 * runs for MS milliseconds, or until the module's parameter "over" is set, and does not sleep.
 * Other tasks may run meanwhile, such as ksoftirqd for RCU, except with "slow MS held", which
 * disables preemption.
 */
#include <linux/delay.h>
#include "marker_probe.h"

static bool over;
module_param(over, bool, 0644);
MODULE_PARM_DESC(over, "the probe returns");

struct slow {
	unsigned int ms;
	bool held;
	atomic_long_t hits;
};

static void notrace hold(MARKER_PARAMS)
{
	struct slow *slow = link->data;
	unsigned int i;

	if (atomic_long_inc_return(&slow->hits) > 1)
		return;
	if (slow->held)
		preempt_disable();
	/*
	 * Read @slow in each turn, so that a connection that was freed too early is noticed.
	 * No probe may sleep: a kernel with that option reports it, and is preemptible here.
	 */
	for (i = 0; i < READ_ONCE(slow->ms) && !READ_ONCE(over); i++) {
		mdelay(1);
		if (!slow->held && !IS_ENABLED(CONFIG_DEBUG_ATOMIC_SLEEP))
			cond_resched();
	}
	if (slow->held)
		preempt_enable();
}

static void *attach(const char *args)
{
	struct slow *slow = kzalloc(sizeof(*slow), GFP_KERNEL);
	char words[16], *rest = words;

	if (!slow)
		return ERR_PTR(-ENOMEM);
	strscpy(words, args ?: "", sizeof(words));
	if (!kstrtouint(strsep(&rest, " "), 10, &slow->ms)) {
		slow->held = rest && !strcmp(rest, "held");
		if (slow->held || !rest)
			return slow;
	}
	kfree(slow);
	return ERR_PTR(-EINVAL);
}

static void detach(void *data)
{
	kfree(data);
}

static u64 hits(void *data)
{
	return atomic_long_read(&((struct slow *)data)->hits);
}

static struct marker_probe slow_probe = {
	.name = "slow",
	.func = hold,
	.leaf = true,
	.attach = attach,
	.detach = detach,
	.hits = hits,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(slow_probe, "holds its CPU, for tests of the wait");
