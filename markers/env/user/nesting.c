// SPDX-License-Identifier: GPL-2.0-only
/* Probes that are under way in a program: one a thread. */
#include "nesting.h"

static __thread bool under_way;

bool marker_nesting_enter(void)
{
	if (under_way)
		return false;
	under_way = true;
	return true;
}

void marker_nesting_leave(void)
{
	under_way = false;
}
