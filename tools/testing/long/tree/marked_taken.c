// SPDX-License-Identifier: GPL-2.0-only
/* A marker with the name of a trace event of its own module. */
#define MARK_SYSTEM sizes

#include <linux/marker.h>
#include "size.h"

#define CREATE_TRACE_POINTS
#include "size_trace_event.h"

#define ONE(n)
SIZE_MODULE;

static int __init marked_taken_init(void)
{
	MARK(whole_10, "number=%d", 1);
	return 0;
}
module_init(marked_taken_init);
