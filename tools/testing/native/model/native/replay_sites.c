// SPDX-License-Identifier: GPL-2.0-only
/* The sites of replay_dispatch.c; only their order of changes matters, so none is run. */
#include "bench_gates.h"
#include "marker.h"
#include "replay_sites.h"

/* Two sites, so that the connection is not refused when one is foreign. */
static noinline void pass(void)
{
	MARK(replay_CODE, "%d", 1);
	MARK_CALL(replay_CALL, "%d", 1);
	MARK(replay_SINGLE, "%d", 1);
	MARK_GENERIC(replay_POINTER, "%d", 1);
}

static noinline void pass_too(void)
{
	MARK(replay_CODE, "%d", 2);
}

void (*const replay_sites[])(void) = { pass, pass_too };
