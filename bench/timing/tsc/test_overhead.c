// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Measure the cost of the library's reads, each called 1000 times in a row. */
#include "program.h"
#include "tsc.h"
#include <stdio.h>

#define CALLS	1000
#define BATCHES	25

const char *const program_usage = "test_overhead (no arguments)";

/* The value goes to memory, or the compiler would not make it. */
#define MANY(type, function)						\
static void many_##function(void)					\
{									\
	int i;								\
									\
	for (i = 0; i < CALLS; i++) {					\
		type value = function();				\
									\
		__asm__ __volatile__("" : : "m" (value));		\
	}								\
}

MANY(tsc_counter_t, tsc_readCycles_C)
MANY(tsc_counter_int_t, tsc_readCycles_CI)
MANY(double, tsc_readCycles_D)
MANY(tsc_counter_int_t, tsc_readNsec_CI)
MANY(double, tsc_readNsec_D)

/* The paper prints 87.25 ns for readCycles_CI; 36.03 cycles are 72.4 of its ns. */
static const struct {
	const char *name;
	void (*many)(void);
	double cycles, ns;
} reads[] = {
	{ "tsc_readCycles_C", many_tsc_readCycles_C, 35.05, 70.42 },
	{ "tsc_readCycles_CI", many_tsc_readCycles_CI, 36.03, 87.25 },
	{ "tsc_readCycles_D", many_tsc_readCycles_D, 87.25, 175.24 },
	{ "tsc_readNsec_CI", many_tsc_readNsec_CI, 312.20, 627.57 },
	{ "tsc_readNsec_D", many_tsc_readNsec_D, 92.51, 185.96 },
};

int main(int argc, char **argv)
{
	double samples[BATCHES];
	unsigned int i, batch;

	(void)argv;
	if (argc != 1)
		program_exit_usage();
	program_start();
	printf("%d batches of %d calls, the loop around them included\n", BATCHES, CALLS);
	program_table();
	for (i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
		reads[i].many();
		for (batch = 0; batch < BATCHES; batch++) {
			tsc_counter_int_t start = tsc_readCycles_CI();

			reads[i].many();
			samples[batch] = tsc_CI2D(tsc_readCycles_CI() - start) / CALLS;
		}
		program_row(reads[i].name, samples, BATCHES, reads[i].cycles, reads[i].ns);
	}
	return 0;
}
