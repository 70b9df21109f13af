/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces lttng/lttng.h where LTTng-UST is not installed. */
#ifndef NATIVE_LTTNG_H
#define NATIVE_LTTNG_H

#include "env_site.h"

#define BENCH_LTTNG(X)

static inline bool lttng_records(void)
{
	return false;
}

static inline bool lttng_is_idle(void)
{
	return false;
}

#endif
