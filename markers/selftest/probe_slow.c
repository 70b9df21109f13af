// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_slow.ko: the probe "slow MS", which holds its CPU for the first event, for
 * so many milliseconds with preemption disabled: what a disconnect has to wait for.
 */
#include <linux/delay.h>
#include "probe.h"

struct slow {
	unsigned int ms;
	atomic_long_t hits;
};

static void notrace hold(const struct probe_link *link, const struct marker_site *site, ...)
{
	struct slow *slow = link->data;
	unsigned int i;

	if (atomic_long_inc_return(&slow->hits) > 1)
		return;
	preempt_disable();
	/* What it reads each time has to be there still. */
	for (i = 0; i < READ_ONCE(slow->ms); i++)
		mdelay(1);
	preempt_enable();
}

static void *attach(const char *args)
{
	struct slow *slow = kzalloc(sizeof(*slow), GFP_KERNEL);
	int ret;

	if (!slow)
		return ERR_PTR(-ENOMEM);
	ret = args ? kstrtouint(args, 10, &slow->ms) : -EINVAL;
	if (!ret)
		return slow;
	kfree(slow);
	return ERR_PTR(ret);
}

static void detach(void *data)
{
	kfree(data);
}

static u64 hits(void *data)
{
	return atomic_long_read(&((struct slow *)data)->hits);
}

static struct probe slow_probe = {
	.name = "slow",
	.func = hold,
	.attach = attach,
	.detach = detach,
	.hits = hits,
	.owner = THIS_MODULE,
};

PROBE_MODULE(slow_probe, "holds its CPU, for tests of the wait");
