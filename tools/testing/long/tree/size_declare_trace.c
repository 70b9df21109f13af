// SPDX-License-Identifier: GPL-2.0-only
#include <linux/tracepoint.h>
#include "size.h"

/* From 6.16 on DECLARE_TRACE() appends "_tp". */
#ifdef DECLARE_TRACE_EVENT
#define NAME(n)	bare_##n##_tp
#define ONE(n)	trace_bare_##n##_tp(n, text);
#else
#define NAME(n)	bare_##n
#define ONE(n)	trace_bare_##n(n, text);
#endif
#define DECLARE(n)							\
	DECLARE_TRACE(bare_##n, TP_PROTO(int pid, const char *text), TP_ARGS(pid, text));
#define DEFINE_NAMED(name)						\
	DEFINE_TRACE(name, TP_PROTO(int pid, const char *text), TP_ARGS(pid, text));
#define DEFINE(n)		DEFINE_NAMED(NAME(n))
HUNDRED(DECLARE)
HUNDRED(DEFINE)

SIZE_MODULE;
