// SPDX-License-Identifier: GPL-2.0-only
/* No kprobes: ghosts stay closed. */
#include "ghost.h"

bool ghost_possible(void)
{
	return false;
}

int ghost_open(struct gate *gate, struct marker_site *entry)
{
	return -EOPNOTSUPP;
}

void ghost_close_all(struct gate *const *gates, unsigned int n)
{
}

u8 ghost_expected(const struct gate *gate, u8 found)
{
	return 0;
}

bool ghost_is_optimised(const struct gate *gate)
{
	return false;
}

unsigned long ghost_missed(const struct gate *gate)
{
	return 0;
}
