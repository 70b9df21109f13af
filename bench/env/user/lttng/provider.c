// SPDX-License-Identifier: GPL-2.0-only
/* Define the tracepoints of provider.h, by LTTng-UST's headers. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "provider.h"
