// SPDX-License-Identifier: GPL-2.0-only
/* trace: all markers as one trace event of the kernel, markers:marker. */
#include "fetch.h"
#include "marker_probe.h"

#define CREATE_TRACE_POINTS
#include "probe_trace.h"

int marker_trace_listened(void)
{
	return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
}

void marker_trace_unlistened(void)
{
	module_put(THIS_MODULE);
}

static void notrace trace_event(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX];
	char text[MARKER_TEXT_MAX];

	if (!trace_marker_enabled())
		return;
	marker_words(words, site, a, b, c, d);
	marker_print(site, words, marker_fetch_text, text, sizeof(text));
	trace_marker(site, words, text);
}

static int check(void *data, const struct marker_site *site)
{
	struct marker_plan plan;

	return marker_plan_make(&plan, site, "trace");
}

static struct marker_probe probe = {
	.name = "trace",
	.func = trace_event,
	.leaf = true,
	.check = check,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "marker probe that writes a trace event of the kernel");
MODULE_VERSION(MARKERS_VERSION);
