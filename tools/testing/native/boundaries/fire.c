// SPDX-License-Identifier: GPL-2.0-only
/* The sites of the program. */
#include "boundaries.h"
#include "marker_variants.h"

/* Two copies of one site, in functions of their own. */
static __always_inline void step(void)
{
	MARK(copied_nop, "%d", 2);
	MARK_GENERIC(copied_flag, "%d", 2);
}

noinline void boundaries_one(void)
{
	step();
}

noinline void boundaries_two(void)
{
	step();
	barrier();
	step();
}

void boundaries_fire(unsigned int times)
{
	while (times--) {
		MARK(edge_nop, "%d", 2);
		MARK_PUN(edge_pun, "%d", 2);
		MARK_IMM(edge_imm, "%d", 2);
		MARK_GENERIC(edge_generic, "%d", 2);
		MARK(field_first, "len=%d width=%d", 1, 2);
		MARK(field_second, "width=%d len=%d", 2, 1);
	}
}
