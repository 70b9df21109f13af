/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The time stamp counter library of Etsion and Feitelson (2000): cycles and
 * nanoseconds without a system call, with the names of their paper.
 *
 * A "cycle" here is one tick of the platform's counter, whose rate is fixed on
 * today's CPUs and is not that of the core.  Values are of three types: C
 * (tsc_counter_t, two halves), CI (tsc_counter_int_t) and D (double).
 *
 * All functions may be called by any thread at any time.  Values of two CPUs
 * compare as well as their counters do: see tsc_pin().  Reads are not ordered
 * with the code around them.  Compile with -O or more.
 *
 * Overflow: the counter itself after 2^64 ticks (225 years at 2.6 GHz); CI
 * nanoseconds wrap at 2^64 (584 years); a double holds integers exactly up to
 * 2^53 (40 days of ticks at 2.6 GHz, 104 days of ns), and rounds beyond.
 */
#ifndef TSC_H
#define TSC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TSC_OK		0
#define TSC_ERROR	(-1)
#define TSC_NOSPEED	(-1)	/* tsc_init(): find the speed out */
#define TSC_PIN_HERE	(-1)	/* tsc_pin(): the CPU of the caller */
#define TSC_MAX_SPEED	18446744073.0	/* Hz: ticks of 1 s by 1e9 fit 64 bits */

/* The counter as the hardware gives it; the ASI's rdtsc() fills it. */
typedef struct {
	uint32_t low;
	uint32_t high;
} tsc_int64;

#if defined(__x86_64__) && defined(__linux__)
#include "asi_linux_x86_64.h"
#elif defined(__i386__) && defined(__linux__)
#include "asi_linux_i386.h"
#elif defined(__aarch64__) && defined(__linux__)
#include "asi_linux_arm64.h"
#else
#error "no Abstract System Interface for this platform: see Documentation/methods.md"
#endif

typedef tsc_int64 tsc_counter_t;
typedef TSC_UINT64 tsc_counter_int_t;

/*
 * Sets the speed of the counter, in Hz, 1 to TSC_MAX_SPEED, rounded to whole
 * Hz; with TSC_NOSPEED finds it out: from the platform where that knows it,
 * else by tsc_measureSpeed(200).  The paper's parameter was an int, which ends
 * at 2.1 GHz.  TSC_ERROR: no such speed, or the counter stands still.
 */
int tsc_init(double processor_speed_Hz);

/* The speed in Hz; calls tsc_init(TSC_NOSPEED) first if it was not called yet.  0: failed. */
double tsc_CPUSpeed(void);

/* The speed in Hz as seen over a sleep of msec, 1 or more; sets nothing.  0: failed. */
double tsc_measureSpeed(unsigned long msec);

/* True if the platform promises a constant rate in all states of the CPU. */
int tsc_isInvariant(void);

/*
 * Binds the calling thread to a CPU, from 0, so that it reads one counter
 * only.  TSC_ERROR: errno has why.
 */
int tsc_pin(int cpu);

/*
 * Decimal digits; with char_num above 0 only that many of the lowest ones,
 * leading zeros included ("005"); never padded.  The buffer is the calling
 * thread's, valid until its next call of either function.
 */
const char *tsc_C2STR(tsc_counter_t counter, int char_num);
const char *tsc_CI2STR(tsc_counter_int_t counter, int char_num);

/* In Hz; 0 before tsc_init().  Use tsc_CPUSpeed(). */
extern TSC_UINT64 tsc_speedHz;

INLINE tsc_counter_int_t tsc_C2CI(tsc_counter_t counter)
{
	return (tsc_counter_int_t)counter.high << 32 | counter.low;
}

INLINE double tsc_CI2D(tsc_counter_int_t counter)
{
	return UINT64_TO_DOUBLE(counter);
}

INLINE double tsc_C2D(tsc_counter_t counter)
{
	return tsc_CI2D(tsc_C2CI(counter));
}

INLINE tsc_counter_t tsc_readCycles_C(void)
{
	tsc_counter_t counter;

	rdtsc(&counter);
	return counter;
}

INLINE tsc_counter_int_t tsc_readCycles_CI(void)
{
	return tsc_C2CI(tsc_readCycles_C());
}

INLINE double tsc_readCycles_D(void)
{
	return tsc_C2D(tsc_readCycles_C());
}

/*
 * Convert to nanoseconds: 0 before tsc_init().  CI results are exact, rounded down; D
 * results are within 2 units of a double's last place.
 */
INLINE tsc_counter_int_t tsc_cycles2Nsec_CI2CI(tsc_counter_int_t counter)
{
	TSC_UINT64 hz = __atomic_load_n(&tsc_speedHz, __ATOMIC_RELAXED);

	/* The rest of a second times 1e9 still fits: see TSC_MAX_SPEED. */
	return hz ? counter / hz * 1000000000 + counter % hz * 1000000000 / hz : 0;
}

INLINE double tsc_cycles2Nsec_D2D(double counter)
{
	TSC_UINT64 hz = __atomic_load_n(&tsc_speedHz, __ATOMIC_RELAXED);

	return hz ? counter * 1e9 / UINT64_TO_DOUBLE(hz) : 0;
}

INLINE tsc_counter_int_t tsc_cycles2Nsec_C2CI(tsc_counter_t counter)
{
	return tsc_cycles2Nsec_CI2CI(tsc_C2CI(counter));
}

INLINE double tsc_cycles2Nsec_C2D(tsc_counter_t counter)
{
	return tsc_cycles2Nsec_D2D(tsc_C2D(counter));
}

INLINE double tsc_cycles2Nsec_CI2D(tsc_counter_int_t counter)
{
	return tsc_cycles2Nsec_D2D(tsc_CI2D(counter));
}

INLINE tsc_counter_int_t tsc_readNsec_CI(void)
{
	return tsc_cycles2Nsec_C2CI(tsc_readCycles_C());
}

INLINE double tsc_readNsec_D(void)
{
	return tsc_cycles2Nsec_C2D(tsc_readCycles_C());
}

#ifdef __cplusplus
}
#endif

#ifndef TSC_PRIVATE_FUNCTIONS
#undef INLINE
#undef UINT64_TO_DOUBLE
#undef DOUBLE_TO_UINT64
#endif

#endif
