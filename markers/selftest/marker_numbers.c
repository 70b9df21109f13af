// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_numbers.ko: uses up the numbers that the kernel gives to trace events,
 * and gives them back, so that from then on the lowest free one is taken, as
 * Linux 6.12 does from the beginning.
 */
#include <linux/module.h>
#include <linux/trace_events.h>

static struct trace_event_functions functions;
static struct trace_event event = { .funcs = &functions };

static int __init numbers_init(void)
{
	int last = 0, number;

	for (;;) {
		event.type = 0;
		number = register_trace_event(&event);
		if (!number)
			return -ENOSPC;
		unregister_trace_event(&event);
		/* Not the next one: they have begun anew. */
		if (number <= last)
			return 0;
		last = number;
		cond_resched();
	}
}

static void __exit numbers_exit(void)
{
}

module_init(numbers_init);
module_exit(numbers_exit);
MODULE_DESCRIPTION("makes the kernel use numbers of trace events again, for the tests");
MODULE_LICENSE("GPL");
