// SPDX-License-Identifier: GPL-2.0-only
/* See experiments.h. */
#include "experiments.h"
#include "tsc.h"

#define CALIBRATION_LOOPS	300000ul

void work(void *loops)
{
	unsigned long left = *(unsigned long *)loops;

	/* The value goes through a register each time, so that no loop is left out. */
	while (left--)
		__asm__ __volatile__("" : "+r" (left));
}

double work_measure(void)
{
	const struct kbest_scheme scheme = { KBEST_COUNTER, 3, 100, 0.001, 0 };
	unsigned long loops = CALIBRATION_LOOPS;
	struct kbest_result result;

	kbest_measure(work, &loops, &scheme, &result);
	return result.cycles / loops;
}

unsigned long work_loops(unsigned int us, double per_loop)
{
	return us / 1e6 * tsc_CPUSpeed() / per_loop;
}
