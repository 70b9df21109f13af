// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which probes/event/list.c makes events, shows them to the kernel, takes them away,
 * waits for their listeners, and frees them; and with which locks.
 */
#include "order.h"
#include "env/user/hashtable.h"
#include "linux/seq_file.h"

/* linux/trace_events.h, as far as events have it */

enum trace_reg { TRACE_REG_REGISTER };

struct tracepoint {
	const char *name;
};

struct trace_event_class {
	const char *system;
};

struct trace_event_call {
	const char *name;
};

struct trace_entry {
	int unused;
};

#define NR_SLAB_RECLAIMABLE_B 0
#define NR_SLAB_UNRECLAIMABLE_B 1
#define global_node_page_state_pages(item) ((unsigned long)(item))
#define PAGE_SHIFT 12
#define pr_err_ratelimited pr_err
#define ALIGN(n, to) (((n) + (to) - 1) / (to) * (to))
#define ERR_CAST(error) ((void *)(error))

static void tracepoint_synchronize_unregister(void)
{
	if (order_holds("&events_mutex") || order_holds("event_mutex"))
		order_expect(false, "a wait for listeners holds no lock that they may want");
	order_note("wait", NULL);
}

#include "event/list.c"

/* The functions of event.c and mutex.c, as they are described in event.h and mutex.h. */

static int init_error, add_error, remove_error;
static bool is_used, has_other_form;

size_t marker_event_names_size(const struct marker_site *site)
{
	return strlen(site->name) + 1;
}

void marker_event_set_names(struct marker_event *event, char *to, const struct marker_site *site)
{
	event->name = strcpy(to, site->name);
	event->tp.name = event->name;
	event->site_format = site->format;
}

int marker_event_init(struct marker_event *event, const struct marker_site *site,
		      marker_event_reg_fn *reg)
{
	order_note("init", event);
	return init_error;
}

void marker_event_exit(struct marker_event *event)
{
	order_note("exit", event);
}

int marker_event_add(struct marker_event *event)
{
	order_expect(order_holds("event_mutex") && order_holds("&events_mutex"),
		     "an event is added with both locks");
	order_note(add_error ? "not added" : "add", event);
	return add_error;
}

int marker_event_remove(struct marker_event *event)
{
	order_expect(order_holds("event_mutex") && order_holds("&events_mutex"),
		     "an event is removed with both locks");
	order_note(remove_error ? "not removed" : "remove", event);
	return remove_error;
}

bool marker_event_name_is_used(const struct marker_event *event)
{
	order_expect(!order_holds("&events_mutex"),
		     "the kernel is asked for a name without the lock");
	order_note("look up", event);
	return is_used;
}

bool marker_event_is_of(const struct marker_event *event, const struct marker_site *site)
{
	return !has_other_form;
}

int marker_event_check(const struct marker_event *event, const struct marker_site *site)
{
	return has_other_form ? -EINVAL : 0;
}

int marker_event_mutex_run(void (*func)(void))
{
	order_expect(!order_holds("&events_mutex"), "event_mutex is taken before events_mutex");
	order_lock("event_mutex");
	func();
	order_unlock("event_mutex");
	return 0;
}

static const struct marker_site *exposed_site;

void marker_exposed_visit(void (*visit)(const struct marker_site *site))
{
	if (exposed_site)
		visit(exposed_site);
}

static int enable_event(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return 0;
}

static struct marker_site site = { .name = "subsys_mark", .format = "%d" };

static struct marker_event_known *only(void)
{
	return list_first_entry_or_null(&events, struct marker_event_known, list);
}

/* An event that is exposed and that the kernel has. */
static struct marker_event_known *make_exposed(void)
{
	struct marker_event_known *known;

	exposed_site = &site;
	order_forget();
	order_expect(!marker_event_list_settle(true), "an event is exposed at once");
	known = only();
	order_expect(known && known->added &&
			     order_is("init", &known->event, "look up", &known->event) &&
			     order_is("look up", &known->event, "add", &known->event),
		     "it is made, its name is looked up, and it is added");
	order_forget();
	return known;
}

static void test_removed(void)
{
	struct marker_event_known *known = make_exposed();
	struct marker_event *event = &known->event;

	order_expect(!marker_event_list_settle(false), "an event is removed at once");
	order_expect(order_is("remove", event, "wait", NULL) &&
			     order_is("wait", NULL, "exit", event),
		     "it is removed, its listeners are waited for, and it is freed");
	order_expect(marker_event_list_is_empty(), "the list is empty");
}

static void test_listener(void)
{
	struct marker_event_known *known = make_exposed();
	struct marker_event *event = &known->event;

	atomic_set(&known->listeners, 1);
	order_expect(!marker_event_list_settle(false),
		     "an event with a listener stays, which calls again");
	order_expect(!order_count("remove", NULL) && !order_count("exit", NULL) && only() == known,
		     "it is neither removed nor freed");
	atomic_set(&known->listeners, 0);
	remove_error = -EBUSY;
	order_expect(marker_event_list_settle(false), "an event that is open is tried again");
	order_expect(order_count("not removed", event) == 1 && !order_count("exit", NULL) &&
			     known->added,
		     "it is not freed");
	remove_error = 0;
	order_forget();
	order_expect(!marker_event_list_settle(false) && order_is("wait", NULL, "exit", event),
		     "when it is closed, it is waited for and freed");
}

static void test_not_added(void)
{
	struct marker_event_known *known;

	exposed_site = &site;
	add_error = -ENOMEM;
	order_forget();
	order_expect(marker_event_list_settle(true), "without memory an event is tried again");
	known = only();
	order_expect(known && !known->added && !known->error, "it has no error");
	add_error = 0;
	order_expect(!marker_event_list_settle(true) && known->added, "with memory it is added");
	marker_event_list_settle(false);
	add_error = -EINVAL;
	order_expect(!marker_event_list_settle(true), "another error is final");
	known = only();
	order_expect(known && !known->added && known->error == -EINVAL, "the event has this error");
	order_forget();
	add_error = 0;
	marker_event_list_settle(true);
	order_expect(!order_count("add", NULL), "it is not tried again while it is exposed");
	marker_event_list_settle(false);
	order_expect(!order_count("remove", NULL) && order_count("exit", NULL) == 1,
		     "what was not added is not removed, but freed");
}

static void test_name_used(void)
{
	struct marker_event_owner owner = { .events = LIST_HEAD_INIT(owner.events) };

	exposed_site = NULL;
	is_used = true;
	order_expect(!IS_ERR(marker_event_list_get(&owner, &site)), "an event is connected");
	marker_event_list_settle(false);
	order_expect(only() && only()->error == -EEXIST && !order_count("add", NULL),
		     "an event whose name the kernel has is not added");
	order_expect(marker_event_list_get(&owner, &site) == ERR_PTR(-EEXIST), "and says so");
	is_used = false;
	marker_event_list_put(&owner);
	order_forget();
	order_expect(!IS_ERR(marker_event_list_get(&owner, &site)) &&
			     order_is("exit", NULL, "init", NULL),
		     "without its owner it is made anew");
	marker_event_list_put(&owner);
	marker_event_list_settle(false);
	order_expect(marker_event_list_is_empty(), "the list is empty again");
}

static void test_other_form(void)
{
	struct marker_event_owner owner = { .events = LIST_HEAD_INIT(owner.events) };
	struct marker_event_known *known = make_exposed();
	struct marker_event *event = &known->event;

	has_other_form = true;
	order_expect(marker_event_list_get(&owner, &site) == ERR_PTR(-EINVAL),
		     "another form is refused while the event is exposed");
	atomic_set(&known->listeners, 1);
	order_expect(!marker_event_list_settle(true) && only() == known && !known->exposed,
		     "a marker of another form waits for the listeners of the first");
	order_expect(marker_event_list_get(&owner, &site) == ERR_PTR(-EBUSY),
		     "and a connection is refused");
	atomic_set(&known->listeners, 0);
	order_forget();
	order_expect(marker_event_list_settle(true), "then it is to be called again");
	order_expect(order_is("wait", NULL, "exit", event), "the first form is gone");
	has_other_form = false;
	order_forget();
	order_expect(!marker_event_list_settle(true) && order_count("add", NULL) == 1 &&
			     only()->exposed,
		     "the other form is there");
	marker_event_list_settle(false);
}

static void test_owners(void)
{
	struct marker_event_owner one = { .events = LIST_HEAD_INIT(one.events) },
				  other = { .events = LIST_HEAD_INIT(other.events),
					    .while_enabled = true };
	struct marker_event *event = marker_event_list_get(&one, &site);
	struct marker_event_known *known;

	marker_event_list_settle(false);
	known = only();
	order_expect(event == &known->event && known->added, "a connected event is added");
	order_expect(marker_event_list_get(&other, &site) == ERR_PTR(-EEXIST),
		     "another owner is refused");
	order_expect(marker_event_list_is_connected(known), "it is connected");
	order_expect(!marker_event_list_is_enabled(&one), "it is not enabled");
	atomic_set(&known->listeners, 2);
	order_expect(marker_event_list_is_enabled(&one) && !marker_event_list_is_enabled(&other),
		     "its owner sees that it is enabled");
	atomic_set(&known->listeners, 0);
	marker_event_list_put(&one);
	order_expect(!marker_event_list_is_connected(known), "it is not connected any more");
	order_expect(marker_event_list_get(&other, &site) == event, "the other owner gets it");
	order_expect(!marker_event_list_is_connected(known),
		     "whose connection ends with the listeners");
	marker_event_list_put(&other);
	order_forget();
	marker_event_list_settle(false);
	order_expect(order_is("wait", NULL, "exit", event), "without an owner it goes");
}

int main(void)
{
	exposed_site = NULL;
	marker_event_list_init(enable_event);
	test_removed();
	test_listener();
	test_not_added();
	test_name_used();
	test_other_form();
	test_owners();
	order_expect(marker_event_list_is_empty(), "the list is empty in the end");
	order_expect(!order_holds("&events_mutex") && !order_holds("&settle_mutex"),
		     "no lock is held");
	return order_end();
}
