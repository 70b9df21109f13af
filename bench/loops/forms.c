// SPDX-License-Identifier: GPL-2.0-only
/* The probes of the forms. The copied arguments are not used. */
#include <linux/stdarg.h>
#include "env.h"
#include "forms.h"

static struct form_arguments copy;

static void notrace fastcall(const char *format, int count, void *pointer)
{
}

static void notrace varargs(const char *format, ...)
{
}

static void notrace stack(struct form_arguments arguments)
{
	WRITE_ONCE(copy.count, arguments.count);
	WRITE_ONCE(copy.pointer, arguments.pointer);
}

void notrace marker_bench_form_expected_probe(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	WRITE_ONCE(copy.count, va_arg(args, int));
	WRITE_ONCE(copy.pointer, va_arg(args, void *));
	va_end(args);
}

static void notrace parsed(const char *format, ...)
{
	const char *at;
	va_list args;

	va_start(args, format);
	for (at = format; *at; at++) {
		if (*at != '%')
			continue;
		switch (*++at) {
		case 'd':
			WRITE_ONCE(copy.count, va_arg(args, int));
			break;
		case 'p':
			WRITE_ONCE(copy.pointer, va_arg(args, void *));
			break;
		default:	/* nothing else is in the formats here */
			at--;
		}
	}
	va_end(args);
}

form_fastcall_fn *marker_bench_form_fastcall = fastcall;
form_varargs_fn *marker_bench_form_varargs = varargs;
form_varargs_fn *marker_bench_form_expected = marker_bench_form_expected_probe;
form_varargs_fn *marker_bench_form_parsed = parsed;
form_stack_fn *marker_bench_form_stack = stack;
