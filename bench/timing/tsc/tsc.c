// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The parts of the TSC library that are not inlined: see tsc.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define TSC_PRIVATE_FUNCTIONS
#include "tsc.h"
#include <errno.h>
#include <string.h>

#define CALIBRATION_MS	200	/* the paper's, for tsc_init() */
#define PAIR_TRIES	16
#define MAX_DIGITS	20	/* digits of 2^64 - 1 */

TSC_UINT64 tsc_speedHz;

/* Read both clocks several times, and return the reading that took the fewest ticks. */
static void read_pair(double *ms, TSC_UINT64 *cycles)
{
	TSC_UINT64 best = ~(TSC_UINT64)0;
	int i;

	for (i = 0; i < PAIR_TRIES; i++) {
		TSC_UINT64 before = tsc_readCycles_CI();
		double now = tsc_msTime();
		TSC_UINT64 took = tsc_readCycles_CI() - before;

		if (took < best) {
			best = took;
			*ms = now;
			*cycles = before + took / 2;
		}
	}
}

double tsc_measureSpeed(unsigned long msec)
{
	TSC_UINT64 start = 0, end = 0;
	double start_ms = 0, end_ms = 0;

	read_pair(&start_ms, &start);
	tsc_msSleep(msec);
	read_pair(&end_ms, &end);
	if (end <= start || end_ms <= start_ms)
		return 0;
	return UINT64_TO_DOUBLE(end - start) * 1000 / (end_ms - start_ms);
}

int tsc_init(double processor_speed_Hz)
{
	double speed = processor_speed_Hz;

	if (speed == TSC_NOSPEED) {
		speed = tsc_platformSpeed();
		if (speed == 0)
			speed = tsc_measureSpeed(CALIBRATION_MS);
	}
	/* NaN fails this comparison, too. */
	if (!(speed >= 1 && speed <= TSC_MAX_SPEED)) {
		errno = ERANGE;
		return TSC_ERROR;
	}
	__atomic_store_n(&tsc_speedHz, DOUBLE_TO_UINT64(speed + 0.5), __ATOMIC_RELAXED);
	return TSC_OK;
}

double tsc_CPUSpeed(void)
{
	if (!__atomic_load_n(&tsc_speedHz, __ATOMIC_RELAXED))
		tsc_init(TSC_NOSPEED);
	return UINT64_TO_DOUBLE(__atomic_load_n(&tsc_speedHz, __ATOMIC_RELAXED));
}

int tsc_isInvariant(void)
{
	return tsc_platformInvariant();
}

int tsc_pin(int cpu)
{
	return tsc_platformPin(cpu) == 0 ? TSC_OK : TSC_ERROR;
}

const char *tsc_CI2STR(tsc_counter_int_t counter, int char_num)
{
	static _Thread_local char buffer[MAX_DIGITS + 1];
	size_t length = strlen(tsc_platformUINT64ToStr(counter, buffer));

	if (char_num > 0 && (size_t)char_num < length)
		return buffer + length - char_num;
	return buffer;
}

const char *tsc_C2STR(tsc_counter_t counter, int char_num)
{
	return tsc_CI2STR(tsc_C2CI(counter), char_num);
}
