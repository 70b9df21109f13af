// SPDX-License-Identifier: GPL-2.0-only
/*
 * event: each marker it is connected to becomes a trace event of its own,
 * markers:NAME, while it is connected.
 *
 * An event that a tracer has enabled cannot be taken from it.  So after a
 * disconnect such an event is silent, and goes when its tracer lets go.
 *
 * Locks: events_mutex, inside marker_mutex and outside the kernel's.
 */
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "event.h"
#include "marker_probe.h"

/* How long a silent event at least stays. */
#define RETRY (HZ / 2)

static DEFINE_MUTEX(events_mutex);
static LIST_HEAD(events);

static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);

static struct marker_event *find_event(const char *name)
{
	struct marker_event *event;

	list_for_each_entry(event, &events, list)
		if (!strcmp(marker_event_name(event), name))
			return event;
	return NULL;
}

/* Destroys what can be; every event pins this module. */
static void sweep(void)
{
	struct marker_event *event, *tmp;
	bool again = false;

	list_for_each_entry_safe(event, tmp, &events, list) {
		if (event->owner)
			continue;
		list_del(&event->list);
		if (!marker_event_destroy(event)) {
			module_put(THIS_MODULE);
			continue;
		}
		list_add(&event->list, &events);
		again = true;
	}
	if (again)
		schedule_delayed_work(&retry_work, RETRY);
}

static void retry(struct work_struct *work)
{
	mutex_lock(&events_mutex);
	sweep();
	mutex_unlock(&events_mutex);
}

/* The event of @site's marker: one that is there, or a new one. */
static struct marker_event *get_event(void *owner, const struct marker_site *site,
				      const struct marker_event_format *format)
{
	struct marker_event *event = find_event(site->name);

	if (!event) {
		event = marker_event_create(site, format);
		if (IS_ERR(event))
			return event;
		__module_get(THIS_MODULE);
		list_add(&event->list, &events);
	}
	if (!marker_event_format_equal(format, &event->type->format)) {
		pr_err("event markers:%s has other arguments: \"%s\", not \"%s\"\n", site->name,
		       event->type->format.kernel.text, format->kernel.text);
		return ERR_PTR(event->owner ? -EINVAL : -EBUSY);
	}
	if (event->owner && event->owner != owner)
		return ERR_PTR(-EEXIST);
	event->owner = owner;
	return event;
}

static int bind(void *data, const struct marker_site *site, struct marker_link *link)
{
	struct marker_event_format *format = kmalloc(sizeof(*format), GFP_KERNEL);
	struct marker_event *event;
	int ret = -ENOMEM;

	if (format)
		ret = marker_event_format_parse(format, site);
	if (ret)
		goto out;
	mutex_lock(&events_mutex);
	event = get_event(data, site, format);
	mutex_unlock(&events_mutex);
	ret = PTR_ERR_OR_ZERO(event);
	if (!ret)
		link->data = event;
out:
	kfree(format);
	return ret;
}

/* A connection's data is an address that no other has. */
static void *attach(const char *args)
{
	if (args)
		return ERR_PTR(-EINVAL);
	return kzalloc(1, GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	struct marker_event *event;

	mutex_lock(&events_mutex);
	list_for_each_entry(event, &events, list)
		if (event->owner == data)
			event->owner = NULL;
	sweep();
	mutex_unlock(&events_mutex);
	kfree(data);
}

static struct marker_probe probe = {
	.name = "event",
	.func = marker_event_write,
	.bind = bind,
	.attach = attach,
	.detach = detach,
	.owner = THIS_MODULE,
};

static int __init probe_event_init(void)
{
	return marker_probe_register(&probe);
}

static void __exit probe_event_exit(void)
{
	marker_probe_unregister(&probe);
	/* No event is left, but the work that took the last may still return. */
	cancel_delayed_work_sync(&retry_work);
	marker_event_record_type_free_all();
}

module_init(probe_event_init);
module_exit(probe_event_exit);
MODULE_DESCRIPTION("marker probe that makes a typed trace event of each marker");
MODULE_LICENSE("GPL");
