// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two functions over the same arrays: whichever comes first finds them out of
 * the cache, and pays for both.
 */
#include <stdio.h>
#include <stdlib.h>
#include "experiments.h"

#define LENGTH		16384		/* length of each array, 128 KB */
#define OTHERS		(64ul << 20)	/* bytes that push them out of the cache */
#define LINE		64

static long array1[LENGTH], array2[LENGTH], array3[LENGTH];

/* The sums are used, or the compiler would not make them. */
static void keep(const long *sums)
{
	__asm__ __volatile__("" : : "r" (sums) : "memory");
}

static void foo1(const long *a, const long *b, long *sums)
{
	int i;

	for (i = 0; i < LENGTH; i++)
		sums[i] = a[i] + b[i];
	keep(sums);
}

static void foo2(const long *a, const long *b, long *sums)
{
	int i;

	for (i = 0; i < LENGTH; i++)
		sums[i] = a[i] - b[i];
	keep(sums);
}

typedef void foo(const long *a, const long *b, long *sums);

static foo *const functions[] = { foo1, foo2 };

static void empty_cache(long *others)
{
	unsigned long i;

	for (i = 0; i < OTHERS / sizeof(*others); i += LINE / sizeof(*others))
		others[i]++;
	keep(others);
}

static double time_one(foo *function)
{
	start_counter();
	function(array1, array2, array3);
	return get_counter();
}

int cache_run(const struct options *options)
{
	long *others = calloc(OTHERS, 1);
	unsigned int round, first, place;

	if (!others) {
		perror("kbest: cache");
		return 1;
	}
	print_head("order\tround\tfirst\tplace\tfunction\tcycles");
	/* Page faults are no cache misses. */
	foo1(array1, array2, array3);
	foo2(array1, array2, array3);
	for (round = 0; round < options->rounds; round++)
		for (first = 0; first < 2; first++) {
			empty_cache(others);
			for (place = 0; place < 2; place++)
				printf("order\t%u\tfoo%u\t%u\tfoo%u\t%.0f\n", round, first + 1,
				       place + 1, (first ^ place) + 1,
				       time_one(functions[first ^ place]));
		}
	free(others);
	return 0;
}
