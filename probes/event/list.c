// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of events, by name: the events that the kernel is to have, and the order of adding and
 * removing. probe.c handles enabling.
 *
 * Locks: see list.h.
 */
#include <linux/hashtable.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "list.h"
#include "marker_probe.h"
#include "mutex.h"

/* The kernel's counters of memory are too coarse for fewer events. */
#define MEASURED_MIN 100

static DEFINE_MUTEX(settle_mutex);
static DEFINE_MUTEX(events_mutex);
static LIST_HEAD(fresh);			/* events with names to look up */
static LIST_HEAD(events);			/* the others */
static DEFINE_HASHTABLE(by_name, 8);

/* Under settle_mutex: removed events, number of events in the kernel, whether to settle again. */
static LIST_HEAD(gone);
static unsigned int nevents;
static bool again;

static struct {
	unsigned int n;
	u64 ns;
	unsigned long bytes;
} batch, largest;

static marker_event_reg_fn *enable;

static struct marker_event_known *find_event(const char *name)
{
	struct marker_event_known *known;

	hash_for_each_possible(by_name, known, by_name, marker_event_name_hash(name))
		if (!strcmp(marker_event_name(&known->event), name))
			return known;
	return NULL;
}

static void free_event(struct marker_event_known *known)
{
	marker_event_exit(&known->event);
	kfree(known);
}

/* Make an event and list it by its name, even if it has an error; NULL: no memory. */
static struct marker_event_known *make_event(const struct marker_site *site)
{
	struct marker_event_known *known =
		kzalloc(sizeof(*known) + marker_event_names_size(site), GFP_KERNEL);

	if (!known)
		return NULL;
	marker_event_set_names(&known->event, (char *)(known + 1), site);
	known->error = marker_event_init(&known->event, site, enable);
	INIT_LIST_HEAD(&known->owned);
	list_add_tail(&known->list, known->error ? &events : &fresh);
	hash_add(by_name, &known->by_name, marker_event_name_hash(site->name));
	return known;
}

static void forget_event(struct marker_event_known *known, struct list_head *to)
{
	hash_del(&known->by_name);
	list_move(&known->list, to);
}

/* True if the event has an error and no owner, so that it may be made anew. */
static bool is_refused(const struct marker_event_known *known)
{
	return known && known->error && !known->added && !known->owner;
}

static void drop_event(struct marker_event_known *known)
{
	LIST_HEAD(refused);

	forget_event(known, &refused);
	free_event(known);
}

/* Find the event or create it. */
static struct marker_event_known *get_event(struct marker_event_owner *owner,
					    const struct marker_site *site)
{
	struct marker_event_known *known = find_event(site->name);
	int ret;

	/*
	 * The format of another site was refused, so try this site's; another failure is logged
	 * again.
	 */
	if (is_refused(known)) {
		drop_event(known);
		known = NULL;
	}
	known = known ?: make_event(site);
	if (!known)
		return ERR_PTR(-ENOMEM);
	if (known->error)
		return ERR_PTR(known->error);
	ret = marker_event_check(&known->event, site);
	if (ret)
		return ERR_PTR(known->owner || known->exposed ? ret : -EBUSY);
	if (known->owner && known->owner != owner)
		return ERR_PTR(-EEXIST);
	known->owner = owner;
	list_move(&known->owned, &owner->events);
	return known;
}

struct marker_event *marker_event_list_get(struct marker_event_owner *owner,
					   const struct marker_site *site)
{
	struct marker_event_known *known;

	mutex_lock(&events_mutex);
	known = get_event(owner, site);
	mutex_unlock(&events_mutex);
	return IS_ERR(known) ? ERR_CAST(known) : &known->event;
}

void marker_event_list_put(struct marker_event_owner *owner)
{
	struct marker_event_known *known, *tmp;

	mutex_lock(&events_mutex);
	list_for_each_entry_safe(known, tmp, &owner->events, owned) {
		list_del_init(&known->owned);
		known->owner = NULL;
	}
	mutex_unlock(&events_mutex);
}

bool marker_event_list_is_enabled(const struct marker_event_owner *owner)
{
	struct marker_event_known *known;
	bool is = false;

	mutex_lock(&events_mutex);
	list_for_each_entry(known, &owner->events, owned)
		is |= atomic_read(&known->listeners);
	mutex_unlock(&events_mutex);
	return is;
}

bool marker_event_list_is_connected(const struct marker_event_known *known)
{
	bool is;

	mutex_lock(&events_mutex);
	is = known->owner && !known->owner->while_enabled;
	mutex_unlock(&events_mutex);
	return is;
}

static void expose(const struct marker_site *site)
{
	struct marker_event_known *known;

	mutex_lock(&events_mutex);
	known = find_event(site->name);
	if (is_refused(known) && known->error == -ENOMEM) {
		drop_event(known);
		known = NULL;
	}
	known = known ?: make_event(site);
	/* Without memory it is tried again. */
	again |= !known || known->error == -ENOMEM;
	if (known)
		known->exposed = known->error || marker_event_is_of(&known->event, site);
	/* If the marker came back with another format, replace the event when it is unused. */
	again |= known && !known->exposed && !known->owner && !atomic_read(&known->listeners);
	mutex_unlock(&events_mutex);
}

/* Only settle() moves them, so they stay while their names are looked up without a lock. */
static void check_names(void)
{
	struct marker_event_known *known;

	mutex_lock(&events_mutex);
	while ((known = list_first_entry_or_null(&fresh, struct marker_event_known, list))) {
		const struct marker_event *event = &known->event;
		bool used;

		mutex_unlock(&events_mutex);
		used = marker_event_name_is_used(event);
		if (used)
			pr_err("event %s:%s is not added: there is another of this name\n",
			       marker_event_system(event), event->tp.name);
		mutex_lock(&events_mutex);
		known->error = used ? -EEXIST : 0;
		list_move_tail(&known->list, &events);
	}
	mutex_unlock(&events_mutex);
}

static void add_event(struct marker_event_known *known)
{
	int ret;

	if (known->added || known->error)
		return;
	ret = marker_event_add(&known->event);
	known->added = !ret;
	batch.n += known->added;
	nevents += known->added;
	/* Try again after -ENOMEM; other errors would come again. */
	again |= ret == -ENOMEM;
	known->error = ret == -ENOMEM ? 0 : ret;
	if (ret)
		pr_err_ratelimited("event %s:%s is not added: %pe%s\n",
				   marker_event_system(&known->event), known->event.tp.name,
				   ERR_PTR(ret), known->error ? "" : "; this is tried again");
}

static void remove_event(struct marker_event_known *known)
{
	/* When the last listener disables the event, this is tried again. */
	if (atomic_read(&known->listeners))
		return;
	if (known->added && marker_event_remove(&known->event)) {
		again = true;
		return;
	}
	nevents -= known->added;
	forget_event(known, &gone);
}

/* Locks: the kernel's event_mutex. */
static void add_and_remove(void)
{
	struct marker_event_known *known, *tmp;

	mutex_lock(&events_mutex);
	list_for_each_entry_safe(known, tmp, &events, list) {
		if (known->exposed || known->owner)
			add_event(known);
		else
			remove_event(known);
		cond_resched();
	}
	mutex_unlock(&events_mutex);
}

static void free_gone(void)
{
	struct marker_event_known *known, *tmp;

	if (list_empty(&gone))
		return;
	/* The listeners have gone, but a call of one may still be running. */
	tracepoint_synchronize_unregister();
	mutex_lock(&events_mutex);
	list_for_each_entry_safe(known, tmp, &gone, list) {
		list_del(&known->list);
		free_event(known);
	}
	mutex_unlock(&events_mutex);
}

static unsigned long slab_bytes(void)
{
	return (global_node_page_state_pages(NR_SLAB_RECLAIMABLE_B) +
		global_node_page_state_pages(NR_SLAB_UNRECLAIMABLE_B)) << PAGE_SHIFT;
}

static void forget_exposed(void)
{
	struct marker_event_known *known;

	mutex_lock(&events_mutex);
	list_for_each_entry(known, &events, list)
		known->exposed = false;
	mutex_unlock(&events_mutex);
}

bool marker_event_list_settle(bool exposed)
{
	unsigned long bytes;
	bool retry;
	u64 start;

	mutex_lock(&settle_mutex);
	again = false;
	batch.n = 0;
	bytes = slab_bytes();
	start = ktime_get_ns();
	forget_exposed();
	if (exposed)
		marker_exposed_visit(expose);
	check_names();
	/* Someone else may have enabled or disabled the event that lends the lock. */
	again |= marker_event_mutex_run(add_and_remove);
	batch.ns = ktime_get_ns() - start;
	batch.bytes = slab_bytes() - bytes;
	if (batch.n > largest.n)
		largest = batch;
	free_gone();
	retry = again;
	mutex_unlock(&settle_mutex);
	return retry;
}

bool marker_event_list_is_empty(void)
{
	return list_empty(&events) && list_empty(&fresh);
}

void marker_event_list_show(struct seq_file *m)
{
	seq_printf(m, "#trace events of markers\nevents\t%u\n", READ_ONCE(nevents));
	seq_printf(m, "events.added\t%u\nevents.added.ns\t%llu\n", largest.n, largest.ns);
	seq_printf(m, "event.bytes\t%lu\n",
		   largest.n < MEASURED_MIN ? 0 : largest.bytes / largest.n);
}

void marker_event_list_init(marker_event_reg_fn *reg)
{
	enable = reg;
}
