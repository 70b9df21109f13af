// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the TSC library, one per run: unit NAME.  `conversions` prints what
 * conversions.py judges; the others end with 0, or say what is wrong and end
 * with 1.
 */
#define _GNU_SOURCE
#include <math.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tsc.h"

#define expect(condition)						\
do {									\
	if (!(condition)) {						\
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
		exit(1);						\
	}								\
} while (0)

static const uint64_t limit = UINT64_MAX;

static void print_conversions(uint64_t hz, uint64_t cycles)
{
	tsc_counter_t counter = { (uint32_t)cycles, (uint32_t)(cycles >> 32) };

	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %a %a %a %a %a\n", hz, cycles,
	       tsc_C2CI(counter), tsc_cycles2Nsec_C2CI(counter), tsc_C2D(counter),
	       tsc_CI2D(cycles), tsc_cycles2Nsec_C2D(counter), tsc_cycles2Nsec_CI2D(cycles),
	       tsc_cycles2Nsec_D2D(tsc_CI2D(cycles)));
}

static void test_conversions(void)
{
	static const uint64_t speeds[] = {
		1, 3, 62500000, 500000000, 999999999, 1000000000, 1000000001, 2147483648,
		2596124000, 5300000123, 18446744073,
	};
	uint64_t random = 88172645463325252;
	unsigned int i, j;

	for (i = 0; i < sizeof(speeds) / sizeof(*speeds); i++) {
		expect(tsc_init(speeds[i]) == TSC_OK);
		expect(tsc_CPUSpeed() == speeds[i]);
		for (j = 0; j < 64; j++) {
			print_conversions(speeds[i], ((uint64_t)1 << j) - 1);
			print_conversions(speeds[i], (uint64_t)1 << j);
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			print_conversions(speeds[i], random >> j);
		}
		print_conversions(speeds[i], limit);
	}
}

static void test_strings(void)
{
	tsc_counter_t counter = { 1, 1 };

	expect(!strcmp(tsc_CI2STR(0, 0), "0"));
	expect(!strcmp(tsc_CI2STR(limit, 0), "18446744073709551615"));
	expect(!strcmp(tsc_CI2STR(limit, 20), "18446744073709551615"));
	expect(!strcmp(tsc_CI2STR(limit, 19), "8446744073709551615"));
	expect(!strcmp(tsc_CI2STR(limit, 1), "5"));
	expect(!strcmp(tsc_CI2STR(1234, 4), "1234"));
	expect(!strcmp(tsc_CI2STR(1234, 3), "234"));
	expect(!strcmp(tsc_CI2STR(1234, 5), "1234"));
	expect(!strcmp(tsc_CI2STR(1234, 1000), "1234"));
	expect(!strcmp(tsc_CI2STR(1234, -1), "1234"));
	expect(!strcmp(tsc_CI2STR(1000005, 3), "005"));
	expect(!strcmp(tsc_C2STR(counter, 0), "4294967297"));
	expect(!strcmp(tsc_C2STR(counter, 4), "7297"));
}

static pthread_barrier_t barrier;

/* Format a value, wait for the other threads, and check the text. */
static void *format_own(void *number)
{
	uint64_t value = 1000000 * (uintptr_t)number;
	char expected[32];
	int i;

	for (i = 0; i < 500; i++, value++) {
		const char *text = tsc_CI2STR(value, 0);

		pthread_barrier_wait(&barrier);
		sprintf(expected, "%" PRIu64, value);
		expect(!strcmp(text, expected));
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[3];
	uintptr_t i;

	pthread_barrier_init(&barrier, NULL, 3);
	for (i = 0; i < 3; i++)
		expect(!pthread_create(&threads[i], NULL, format_own, (void *)(i + 1)));
	for (i = 0; i < 3; i++)
		expect(!pthread_join(threads[i], NULL));
}

static void test_monotonic(void)
{
	uint64_t last = 0, ns = 0;
	double last_d = 0, ns_d = 0;
	int i;

	expect(tsc_pin(TSC_PIN_HERE) == TSC_OK);
	/* Before tsc_init() no time is known. */
	expect(tsc_readNsec_CI() == 0);
	expect(tsc_readNsec_D() == 0);
	expect(tsc_init(TSC_NOSPEED) == TSC_OK);
	for (i = 0; i < 100000; i++) {
		uint64_t now = tsc_C2CI(tsc_readCycles_C());
		uint64_t then = tsc_readCycles_CI();
		double now_d = tsc_readCycles_D();
		uint64_t now_ns = tsc_readNsec_CI();
		double now_ns_d = tsc_readNsec_D();

		expect(now >= last && then >= now && now_d >= last_d);
		expect(now_d >= tsc_CI2D(then) && now_ns >= ns && now_ns_d >= ns_d);
		expect(now_ns >= tsc_cycles2Nsec_CI2D(then) - 1 - now_ns_d / 1e15);
		last = then;
		last_d = now_d;
		ns = now_ns;
		ns_d = now_ns_d;
	}
	expect(last > 0);
}

static uint64_t raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* Over a busy wait, against the clock that the kernel derives from its own figure. */
static void test_speed(void)
{
	uint64_t start_ns = raw_ns(), start = tsc_readCycles_CI(), ns, ticks;
	double seen, speed;

	do {
		ns = raw_ns() - start_ns;
		ticks = tsc_readCycles_CI() - start;
	} while (ns < 300000000);
	seen = ticks * 1e9 / ns;
	speed = tsc_CPUSpeed();
	printf("# %.6f MHz seen, %.6f MHz from the library\n", seen / 1e6, speed / 1e6);
	expect(fabs(speed / seen - 1) < 0.01);
	expect(fabs(tsc_measureSpeed(100) / seen - 1) < 0.01);
	expect(tsc_CPUSpeed() == speed);
}

static void test_arguments(void)
{
	cpu_set_t set;

	expect(tsc_init(1e6) == TSC_OK);
	expect(tsc_init(0) == TSC_ERROR);
	expect(tsc_init(0.5) == TSC_ERROR);
	expect(tsc_init(-2) == TSC_ERROR);
	expect(tsc_init(NAN) == TSC_ERROR);
	expect(tsc_init(INFINITY) == TSC_ERROR);
	expect(tsc_init(TSC_MAX_SPEED + 1) == TSC_ERROR);
	expect(tsc_CPUSpeed() == 1e6);
	expect(tsc_init(TSC_MAX_SPEED) == TSC_OK);
	expect(tsc_init(3000000000.0) == TSC_OK);
	expect(tsc_readNsec_CI() > 0);
	expect(tsc_pin(-2) == TSC_ERROR);
	expect(tsc_pin(1 << 20) == TSC_ERROR);
	expect(tsc_pin(TSC_PIN_HERE) == TSC_OK);
	expect(!sched_getaffinity(0, sizeof(set), &set));
	expect(CPU_COUNT(&set) == 1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
		{ "conversions", test_conversions },
		{ "strings", test_strings },
		{ "threads", test_threads },
		{ "monotonic", test_monotonic },
		{ "speed", test_speed },
		{ "arguments", test_arguments },
	};
	unsigned int i;

	for (i = 0; argc == 2 && i < sizeof(tests) / sizeof(*tests); i++)
		if (!strcmp(argv[1], tests[i].name)) {
			tests[i].run();
			return 0;
		}
	fputs("usage: unit NAME\n", stderr);
	return 2;
}
