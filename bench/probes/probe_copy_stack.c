// SPDX-License-Identifier: GPL-2.0-only
/*
 * copy-stack: the thread's probe that has its arguments on the stack (row A8), for "%d %p". On
 * x86-64 arguments come in registers, asmlinkage or not, but a structure passed by value comes on
 * the stack. So the function that the site calls passes such a structure on, and its copy is the
 * last event.
 */
#include "marker_probe.h"

struct arguments {
	const struct marker_site *site;
	int value;
	void *pointer;
};

/* Last value and last pointer; every site that runs writes them. */
static int last_value;
static void *last_pointer;

static noinline notrace void copy(struct arguments arguments)
{
	WRITE_ONCE(last_value, arguments.value);
	WRITE_ONCE(last_pointer, arguments.pointer);
}

static void notrace copy_stack(MARKER_PARAMS)
{
	copy((struct arguments){ site, a, (void *)b });
}

static struct marker_probe probe = {
	.name = "copy-stack",
	.format = "%d %p",
	.func = copy_stack,
	.leaf = true,
	.owner = THIS_MODULE,
};

module_param(last_value, int, 0444);
MODULE_PARM_DESC(last_value, "the integer of the last event");
MARKER_PROBE_MODULE(probe, "marker probe that has its arguments on the stack");
MODULE_VERSION(MARKERS_VERSION);
