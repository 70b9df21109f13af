// SPDX-License-Identifier: GPL-2.0-only
/* The sites of faults.c: a gate of each kind, and a marker with two sites. */
#include "bench_gates.h"
#include "faults_sites.h"
#include "marker_variants.h"

static noinline void fire_more(int value)
{
	MARK(fault_nop, "%d", value);
}

void faults_fire(void)
{
	MARK(fault_nop, "%d", 2);
	MARK_PUN(fault_pun, "%d", 2);
	MARK_GENERIC(fault_generic, "%d", 2);
	MARK_CALL(fault_call, "%d", 2);
	MARK(fault_text, "%d %s", 2, "text");
	fire_more(2);
}
