// SPDX-License-Identifier: GPL-2.0-only
/* The part of marker_systems.ko whose markers have a system of their own. */
#define MARK_SYSTEM selftest

#include "marker.h"
#include "systems.h"

void marker_systems_named(int value)
{
	MARK_FIELDS(named, field(s32, value));
}
