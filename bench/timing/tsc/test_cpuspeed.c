// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Tests the library's measurement of the counter's speed: several times, 200 ms each. */
#include "program.h"
#include "tsc.h"
#include <stdio.h>
#include <string.h>

#define MAX_ITERATIONS	10000ul
#define SLEEP_MS	200

const char *const program_usage = "test_cpuspeed <iterations: 1-10000>";

/* The core's clock, where the kernel tells; the counter's is another one. */
static void print_cpuinfo(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "cpu MHz", 7))
			continue;
		printf("/proc/cpuinfo: %s", line);
		break;
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	double lowest = 0, highest = 0, sum = 0;
	unsigned long i, iterations;

	if (argc != 2)
		program_exit_usage();
	iterations = program_argument(argv[1], 1, MAX_ITERATIONS);
	program_start();
	for (i = 0; i < iterations; i++) {
		double speed = tsc_measureSpeed(SLEEP_MS);

		if (speed == 0)
			program_exit_failed("tsc_measureSpeed");
		printf("%lu\t%.6f MHz\n", i + 1, speed / 1e6);
		fflush(stdout);
		sum += speed;
		if (i == 0 || speed < lowest)
			lowest = speed;
		if (i == 0 || speed > highest)
			highest = speed;
	}
	printf("average of %lu: %.6f MHz, lowest to highest: %.3f ppm\n", iterations,
	       sum / iterations / 1e6, (highest - lowest) / (sum / iterations) * 1e6);
	print_cpuinfo();
	return 0;
}
