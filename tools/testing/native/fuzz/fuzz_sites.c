// SPDX-License-Identifier: GPL-2.0-only
/* The sites of the program that is given commands. */
#include "fuzz_sites.h"
#include "marker_variants.h"

static __always_inline void step(void)
{
	MARK(c, "%d", 3);
}

static noinline void other(void)
{
	step();
}

void fuzz_sites_fire(void)
{
	step();
	other();
	MARK(a, "%d %s", -1, "text");
	MARK_PUN(ab, "%d %u", 1, 2u);
	MARK_GENERIC(b, "%p %lx", (void *)0, 7ul);
	MARK(a, "%s %s", "text", (const char *)0);
}
