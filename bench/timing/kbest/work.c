// SPDX-License-Identifier: GPL-2.0-only
/* Work of a known length (experiments.h). */
#include "experiments.h"
#include "tsc.h"

#define CALIBRATION_LOOPS	300000ul
#define CALIBRATION_TIMES	1000

void work(void *loops)
{
	unsigned long left = *(unsigned long *)loops;

	/* The value goes through a register each time, so that no loop is left out. */
	while (left--)
		__asm__ __volatile__("" : "+r" (left));
}

double work_measure(void)
{
	unsigned long loops = CALIBRATION_LOOPS;
	double least = 0, cycles;
	unsigned int i;

	for (i = 0; i < CALIBRATION_TIMES; i++) {
		start_counter();
		work(&loops);
		cycles = get_counter();
		if (!i || cycles < least)
			least = cycles;
	}
	return least / loops;
}

unsigned long work_loops(unsigned int us, double per_loop)
{
	return us / 1e6 * tsc_CPUSpeed() / per_loop;
}
