// SPDX-License-Identifier: GPL-2.0-only
#include "size.h"

#define CREATE_TRACE_POINTS
#include "size_trace_event.h"

#define ONE(n)	trace_whole_##n(n, text);
SIZE_MODULE;
