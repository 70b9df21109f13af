// SPDX-License-Identifier: GPL-2.0-only
/*
 * event: each marker it is connected to becomes a trace event of its own,
 * markers:NAME, while it is connected.
 *
 * An event that a tracer has enabled cannot be taken from it.  So after a
 * disconnect such an event is silent, and goes when its tracer lets go.
 *
 * Locks: events_mutex, inside markers_mutex and outside the kernel's.
 */
#include <linux/hash.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "event.h"
#include "probe.h"

#define MAP_BITS 5
/* How long a silent event at least stays. */
#define RETRY (HZ / 2)

/* Which event a site writes.  Added before the site opens, never taken away. */
struct mapping {
	struct mapping *next;
	const struct marker_site *site;
	struct event *event;
};

/* One connection. */
struct map {
	struct mapping *buckets[1 << MAP_BITS];
};

static DEFINE_MUTEX(events_mutex);
static LIST_HEAD(events);

static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);

static notrace struct mapping *find_mapping(struct map *map, const struct marker_site *site)
{
	/* A: from map_site() */
	struct mapping *mapping = READ_ONCE(map->buckets[hash_ptr(site, MAP_BITS)]);

	while (mapping && mapping->site != site)
		mapping = mapping->next;
	return mapping;
}

static void notrace write_event(const struct probe_link *link, const struct marker_site *site,
				unsigned long a, unsigned long b, unsigned long c,
				unsigned long d, unsigned long e, unsigned long f,
				unsigned long g, unsigned long h)
{
	const unsigned long args[MARKER_ARGS_MAX] = { a, b, c, d, e, f, g, h };
	struct mapping *mapping = find_mapping(link->data, site);

	if (mapping)
		event_write(READ_ONCE(mapping->event), site, args);
}

static struct event *find_event(const char *name)
{
	struct event *event;

	list_for_each_entry(event, &events, list)
		if (!strcmp(event_name(event), name))
			return event;
	return NULL;
}

/* Destroys what can be; every event pins this module. */
static void sweep(void)
{
	struct event *event, *tmp;
	bool again = false;

	list_for_each_entry_safe(event, tmp, &events, list) {
		if (event->is_alive)
			continue;
		list_del(&event->list);
		if (!event_destroy(event)) {
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

/* Whether another site of this connection writes it. */
static bool is_mapped(const struct map *map, const struct event *event)
{
	const struct mapping *mapping;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(map->buckets); i++)
		for (mapping = map->buckets[i]; mapping; mapping = mapping->next)
			if (mapping->event == event)
				return true;
	return false;
}

/* The event for @site: one that is there, or a new one. */
static struct event *get_event(struct map *map, const struct marker_site *site)
{
	struct event *event = find_event(site->name);
	struct format format;

	if (!event) {
		event = event_create(site);
		if (IS_ERR(event))
			return event;
		__module_get(THIS_MODULE);
		list_add(&event->list, &events);
		return event;
	}
	format_parse(&format, site);
	if (!format_equal(&format, &event->format)) {
		pr_err("markers: event markers:%s has other arguments: \"%s\", not \"%s\"\n",
		       site->name, event->format.text, format.text);
		return ERR_PTR(event->is_alive ? -EINVAL : -EBUSY);
	}
	if (event->is_alive && !is_mapped(map, event))
		return ERR_PTR(-EEXIST);
	event->is_alive = true;
	return event;
}

static int map_site(struct map *map, const struct marker_site *site)
{
	struct mapping *mapping = find_mapping(map, site);
	struct mapping **bucket = &map->buckets[hash_ptr(site, MAP_BITS)];
	struct event *event = get_event(map, site);

	if (IS_ERR(event))
		return PTR_ERR(event);
	/* Another module's site may lie where one lay before. */
	if (mapping) {
		struct event *old = mapping->event;

		WRITE_ONCE(mapping->event, event);
		old->is_alive = is_mapped(map, old);
		sweep();
		return 0;
	}
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	if (!mapping) {
		event->is_alive = is_mapped(map, event);
		sweep();
		return -ENOMEM;
	}
	*mapping = (struct mapping){ *bucket, site, event };
	/* A: to find_mapping(), which depends on the address. */
	smp_store_release(bucket, mapping);
	return 0;
}

static int check(void *data, const struct marker_site *site)
{
	int ret;

	mutex_lock(&events_mutex);
	ret = map_site(data, site);
	mutex_unlock(&events_mutex);
	return ret;
}

static void *attach(const char *args)
{
	if (args)
		return ERR_PTR(-EINVAL);
	return kzalloc(sizeof(struct map), GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	struct mapping *mapping, *next;
	struct map *map = data;
	unsigned int i;

	mutex_lock(&events_mutex);
	for (i = 0; i < ARRAY_SIZE(map->buckets); i++)
		for (mapping = map->buckets[i]; mapping; mapping = next) {
			next = mapping->next;
			mapping->event->is_alive = false;
			kfree(mapping);
		}
	sweep();
	mutex_unlock(&events_mutex);
	kfree(map);
}

static struct probe probe = {
	.name = "event",
	.func = (marker_fn *)write_event,
	.check = check,
	.attach = attach,
	.detach = detach,
	.owner = THIS_MODULE,
};

static int __init probe_event_init(void)
{
	return probe_register(&probe);
}

static void __exit probe_event_exit(void)
{
	probe_unregister(&probe);
	/* No event is left, but the work that took the last may still return. */
	cancel_delayed_work_sync(&retry_work);
}

module_init(probe_event_init);
module_exit(probe_event_exit);
MODULE_DESCRIPTION("marker probe that makes a typed trace event of each marker");
MODULE_LICENSE("GPL");
