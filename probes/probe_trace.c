// SPDX-License-Identifier: GPL-2.0-only
/* trace: all markers as one trace event of the kernel, markers:marker. */
#include <linux/stdarg.h>
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

static __printf(3, 0) void notrace print(char *text, size_t size, const char *format, va_list args)
{
	int len = vscnprintf(text, size, format, args);

	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
}

static void notrace trace_event(const struct probe_link *link, const struct marker_site *site, ...)
{
	unsigned long words[MARKER_ARGS_MAX] = { };
	unsigned int i, n;
	char text[TEXT_MAX];
	va_list ap;

	if (!trace_marker_enabled())
		return;
	n = marker_site_nargs(site);
	va_start(ap, site);
	for (i = 0; i < n; i++)
		words[i] = va_arg(ap, unsigned long);
	va_end(ap);
	va_start(ap, site);
	print(text, sizeof(text), site->format, ap);
	va_end(ap);
	trace_marker(site, words, text);
}

static struct probe probe = {
	.name = "trace",
	.func = trace_event,
	.owner = THIS_MODULE,
};

PROBE_MODULE(probe, "marker probe that writes a trace event of the kernel");
