// SPDX-License-Identifier: GPL-2.0-only
/* Common part of finding the call of a debug site; see debug_call.h. */
#include <linux/dynamic_debug.h>
#include "debug_call.h"
#include "kprobe_gate.h"
#include "marker_abi.h"
#include "nofault.h"

#define FUNCTION_MAX	128	/* bytes of the longest name of a function that is looked at */

bool marker_debug_call_has_format(const char *format, const struct _ddebug *descriptor)
{
	return marker_nofault_strnlen(format, MARKER_FORMAT_SIZE) < MARKER_FORMAT_SIZE &&
	       strstr(format, descriptor->format);
}

bool marker_debug_call_prints(const void *code)
{
	static const char *const words[] = { "dbg", "debug", "printk", "print_hex" };
	char name[FUNCTION_MAX];
	unsigned int i;

	marker_function_name(code, name, sizeof(name));
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}
