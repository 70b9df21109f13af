// SPDX-License-Identifier: GPL-2.0-only
/* trace: all markers as one trace event of the kernel, markers:marker. */
#include "probe.h"

#define CREATE_TRACE_POINTS
#include "probe_trace.h"

/* Bytes of the printed form, with its NUL. */
#define TEXT_MAX 256

int trace_listened(void)
{
	return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
}

void trace_unlistened(void)
{
	module_put(THIS_MODULE);
}

static void notrace trace_event(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX];
	unsigned int i;
	char text[TEXT_MAX];
	int len;

	if (!trace_marker_enabled())
		return;
	marker_words(words, site, a, b, c, d);
	for (i = marker_site_nargs(site); i < MARKER_ARGS_MAX; i++)
		words[i] = 0;
	len = scnprintf(text, sizeof(text), site->format, words[0], words[1],
			words[2], words[3], words[4], words[5], words[6], words[7]);
	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	trace_marker(site, words, text);
}

static struct probe probe = {
	.name = "trace",
	.func = trace_event,
	.owner = THIS_MODULE,
};

PROBE_MODULE(probe, "marker probe that writes a trace event of the kernel");
