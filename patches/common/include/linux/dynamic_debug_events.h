/* SPDX-License-Identifier: GPL-2.0-only */
/* Between lib/dynamic_debug.c and kernel/trace/trace_dyndbg.c, which records its messages. */
#ifndef _LINUX_DYNAMIC_DEBUG_EVENTS_H
#define _LINUX_DYNAMIC_DEBUG_EVENTS_H

#include <linux/types.h>

struct _ddebug;
struct va_format;

#define DDEBUG_EVENT_NAME_MAX	128

/**
 * struct ddebug_message - A debug message that is recorded
 * @text: format and arguments, as the function that prints the message has them
 * @head: what is printed before the message
 * @device: name of the device, or NULL
 * @interface: name of the network interface, or NULL
 * @ip: address of the site
 */
struct ddebug_message {
	const struct va_format *text;
	const struct va_format *head;
	const char *device;
	const char *interface;
	unsigned long ip;
};

void ddebug_event_name(const struct _ddebug *descriptor, char *to);
int ddebug_event_set(struct _ddebug *descriptor, unsigned int number, bool is_wanted,
		     const char **reason);
void ddebug_event_record(const struct _ddebug *descriptor, const struct ddebug_message *message);
void ddebug_events_free(struct _ddebug *descriptors, unsigned int nr);

#endif
