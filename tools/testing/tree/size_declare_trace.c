// SPDX-License-Identifier: GPL-2.0-only
#include <linux/tracepoint.h>
#include "size.h"

#define DECLARE(n)							\
	DECLARE_TRACE(bare_##n, TP_PROTO(int pid, const char *text), TP_ARGS(pid, text));
#define DEFINE(n)							\
	DEFINE_TRACE(bare_##n, TP_PROTO(int pid, const char *text), TP_ARGS(pid, text));
HUNDRED(DECLARE)
HUNDRED(DEFINE)

/* From 6.16 on DECLARE_TRACE() appends this. */
#ifdef DECLARE_TRACE_EVENT
#define ONE(n)	trace_bare_##n##_tp(n, text);
#else
#define ONE(n)	trace_bare_##n(n, text);
#endif
SIZE_MODULE;
