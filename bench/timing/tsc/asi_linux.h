/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The Abstract System Interface, as far as all of Linux and GNU C share it.  A
 * platform's own file includes this one and adds
 *
 *	rdtsc(counter)		reads the counter
 *	tsc_platformSpeed()	its rate in Hz, 0 if only measuring tells
 *	tsc_platformInvariant()	whether that rate is constant
 *
 * Included by tsc.h only, which takes the macros away again at its end.
 */
#ifndef TSC_ASI_LINUX_H
#define TSC_ASI_LINUX_H

/* A type, and the sign that it is an integer and no double. */
typedef uint64_t TSC_UINT64;
#define TSC_UINT64 TSC_UINT64

#define INLINE static inline __attribute__((always_inline))
#define UINT64_TO_DOUBLE(ull)	((double)(ull))
#define DOUBLE_TO_UINT64(d)	((TSC_UINT64)(d))	/* 0 to below 2^64 */

#ifdef TSC_PRIVATE_FUNCTIONS
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

/* The buffer has room for 20 digits and the end. */
static inline char *tsc_platformUINT64ToStr(TSC_UINT64 counter, char *buffer)
{
	sprintf(buffer, "%" PRIu64, counter);
	return buffer;
}

/* Milliseconds of a clock that is neither set nor slewed, from some moment on. */
static inline double tsc_msTime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static inline void tsc_msSleep(unsigned long msec)
{
	struct timespec left = { msec / 1000, msec % 1000 * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* 0, or -1 and errno. */
static inline int tsc_platformPin(int cpu)
{
	cpu_set_t set;

	if (cpu == TSC_PIN_HERE)
		cpu = sched_getcpu();
	if (cpu < 0 || cpu >= CPU_SETSIZE) {
		errno = EINVAL;
		return -1;
	}
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}
#endif

#endif
