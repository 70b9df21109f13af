// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's event_mutex, which is not exported, held around a function.
 *
 * trace_add_event_call() is exported and needs that mutex held.  Another
 * exported function is trace_set_clr_event(), which takes the mutex and calls the reg() of the
 * enabled event.  So there is an event whose reg() does the work:
 * markers_internal:mutex, which never has any data.
 */
#include <linux/module.h>
#include <linux/trace_events.h>
#include "mutex.h"

/* Work of reg() and its argument, under the caller's lock. */
static void (*wanted)(void);
static struct task_struct *wanting;

/* Under event_mutex: the event's file in the top instance, which may have records of markers. */
static struct trace_event_file *top;
static bool top_has_records;

static int reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct trace_event_file *file = data;

	/* Any tool may enable the event; only a caller with work has it done. */
	if (READ_ONCE(wanting) != current)
		return 0;
	top = file;
	if (type == TRACE_REG_UNREGISTER && !top_has_records)
		clear_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &file->flags);
	if (wanted)
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

/* Entry in the section where the kernel looks for the events of a module. */
static struct trace_event_call *const mutex_entry __used __section("_ftrace_events") = &mutex_call;

/*
 * The kernel empties the buffer of an instance at the next unload of any module, if an event that
 * was enabled there has been removed since.  Events of markers are removed while this module stays
 * and still prints their records, so only the removal of the event above is to empty the buffer.
 */
void marker_event_mutex_keep_buffer(struct trace_event_file *file)
{
	struct trace_event_file *other;
	struct list_head *pos;

	/*
	 * The head of the list is in the kernel's struct trace_array. The pointers behind it in
	 * that structure do not lead to mutex_call.
	 */
	list_for_each(pos, &file->list) {
		other = list_entry(pos, struct trace_event_file, list);
		if (other->event_call != &mutex_call)
			continue;
		set_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &other->flags);
		clear_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &file->flags);
		top_has_records |= other == top;
		return;
	}
}

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
