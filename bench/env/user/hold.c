// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include "hold.h"

int hold_count = 1;

void hold_missed(void)
{
	abort();
}
