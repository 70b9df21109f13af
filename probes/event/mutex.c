// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's event_mutex, which is not exported, held around a function.
 *
 * trace_add_event_call() is exported and wants that mutex held.  What is also
 * exported is trace_set_clr_event(), which takes it, and calls the reg() of the
 * event that it enables.  So there is an event whose reg() does the work:
 * markers_internal:mutex, which never has any data.
 */
#include <linux/module.h>
#include <linux/trace_events.h>
#include "mutex.h"

/* Under the caller's lock: what reg() is to do, and for whom. */
static void (*wanted)(void);
static struct task_struct *wanting;

static int reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	/* Any tool may enable the event; only a caller with work has it done. */
	if (READ_ONCE(wanting) != current || !wanted)
		return 0;
	wanted();
	wanted = NULL;
	return 0;
}

static struct trace_event_fields no_fields[] = { { } };

static struct trace_event_class mutex_class = {
	.system = MARKER_EVENT_MUTEX_SYSTEM,
	.reg = reg,
	.fields_array = no_fields,
	.fields = LIST_HEAD_INIT(mutex_class.fields),
};

static struct trace_event_call mutex_call = {
	.class = &mutex_class,
	.name = MARKER_EVENT_MUTEX_NAME,
	.print_fmt = "\"\"",
};

/* Where the kernel looks for the events of a module. */
static struct trace_event_call *const mutex_entry __used __section("_ftrace_events") = &mutex_call;

int marker_event_mutex_run(void (*func)(void))
{
	int set, ret;

	wanted = func;
	WRITE_ONCE(wanting, current);
	/* When it was enabled already, only disabling and enabling calls reg(). */
	for (set = 1; set >= 0 && wanted; set--)
		trace_set_clr_event(mutex_class.system, mutex_call.name, set);
	trace_set_clr_event(mutex_class.system, mutex_call.name, 0);
	WRITE_ONCE(wanting, NULL);
	ret = wanted ? -ENODEV : 0;
	wanted = NULL;
	return ret;
}
