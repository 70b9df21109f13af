// SPDX-License-Identifier: GPL-2.0-only
/*
 * event: markers are trace events of the kernel, markers:NAME.  Exposed markers are events
 * as soon as they are registered, other markers while they are connected.
 *
 * Enabling an event connects its marker, with the word "enabled"; the connection ends
 * soon after the last tracer has disabled it, so that closing many takes one transaction.
 *
 * An event that a tracer has enabled cannot be removed.  So the event stays when its marker
 * goes, has no new records, and is removed when the tracer disables it.
 *
 * Locks: see list.h.  reg() is called with the kernel's event_mutex held and, to disable an
 * event, possibly with trace_types_lock, so it takes no lock of ours then.
 */
#include <linux/delay.h>
#include <linux/workqueue.h>
#include "list.h"
#include "marker_probe.h"
#include "mutex.h"
#include "open.h"
#include "write.h"

/* Delay before a connection without listeners ends, and before another try to remove an event. */
#define SOON (HZ / 50)
#define RETRY (HZ / 2)

static struct marker_probe probe;
static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);

static void settle_in(unsigned long delay)
{
	cancel_delayed_work(&retry_work);
	schedule_delayed_work(&retry_work, delay);
}

/* Add a listener. The first one opens the gates, and an error goes to the enabling process. */
static int add_listener(struct marker_event_known *known)
{
	int ret;

	if (atomic_inc_return(&known->listeners) > 1 || marker_event_list_is_connected(known))
		return 0;
	ret = marker_probe_connect(&probe, marker_event_name(&known->event), "enabled");
	/* A command was first. */
	return ret == -EEXIST ? 0 : ret;
}

static void del_listener(struct marker_event_known *known)
{
	if (atomic_dec_and_test(&known->listeners))
		settle_in(SOON);
	module_put(THIS_MODULE);
}

static int reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	struct marker_event_known *known =
		container_of(call, struct marker_event_known, event.call);
	int ret;

	switch (what) {
	case TRACE_REG_REGISTER:
	case TRACE_REG_PERF_REGISTER:
		/* While this module goes, no event may be enabled. */
		if (!try_module_get(THIS_MODULE))
			return -ENODEV;
		known->event.written |= what == TRACE_REG_REGISTER;
		ret = add_listener(known) ?: trace_event_reg(call, what, data);
		if (ret)
			del_listener(known);
		return ret;
	case TRACE_REG_UNREGISTER:
		marker_event_mutex_keep_buffer(data);
		fallthrough;
	case TRACE_REG_PERF_UNREGISTER:
		ret = trace_event_reg(call, what, data);
		del_listener(known);
		return ret;
	default:
		return trace_event_reg(call, what, data);
	}
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	struct marker_event *event = marker_event_list_get(data, site);

	if (IS_ERR(event))
		return PTR_ERR(event);
	link->func = marker_event_write_find(event);
	link->data = event;
	return 0;
}

static void *attach(const char *args)
{
	struct marker_event_owner *owner;

	if (args && strcmp(args, "enabled"))
		return ERR_PTR(-EINVAL);
	owner = kzalloc(sizeof(*owner), GFP_KERNEL);
	if (!owner)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&owner->events);
	owner->while_enabled = args;
	return owner;
}

static void detach(void *data)
{
	marker_event_list_put(data);
	kfree(data);
	settle_in(SOON);
}

static bool is_idle(const void *data, const void *unused)
{
	const struct marker_event_owner *owner = data;

	return owner->while_enabled && !marker_event_list_is_enabled(owner);
}

static void settle(void)
{
	if (marker_event_list_settle(true))
		settle_in(RETRY);
}

static void retry(struct work_struct *work)
{
	int ret = marker_probe_disconnect_if(&probe, is_idle, NULL);

	settle();
	/* An earlier transaction still waits for a probe, or memory was short. */
	if (ret == -EAGAIN || ret == -ENOMEM)
		settle_in(RETRY);
}

static struct marker_probe probe = {
	.name = "event",
	.func = marker_event_write,
	.leaf = true,
	.bind = bind,
	.attach = attach,
	.detach = detach,
	.settle = settle,
	.stats = marker_event_list_show,
	.owner = THIS_MODULE,
};

static void nothing(void)
{
}

static int __init probe_event_init(void)
{
	int ret = marker_event_mutex_run(nothing);

	ret = ret ?: marker_event_open_init(MARKER_EVENT_MUTEX_SYSTEM, MARKER_EVENT_MUTEX_NAME);
	if (ret) {
		pr_err("probe event: the kernel's event_mutex or tracefs cannot be had\n");
		return ret;
	}
	marker_event_list_init(reg);
	ret = marker_probe_register(&probe);
	if (!ret)
		settle();
	return ret;
}

static void __exit probe_event_exit(void)
{
	marker_probe_unregister(&probe);
	cancel_delayed_work_sync(&retry_work);
	/* No event can be enabled any more, but one may be held open. */
	while (marker_event_list_settle(false) || !marker_event_list_is_empty())
		msleep(jiffies_to_msecs(RETRY));
	marker_event_record_type_free_all();
}

module_init(probe_event_init);
module_exit(probe_event_exit);
MODULE_DESCRIPTION("marker probe that makes a typed trace event of each marker");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
