// SPDX-License-Identifier: GPL-2.0-only
/* Compares the counters of two CPUs (skew.h): the other CPU reads its counter in an interrupt. */
#include <linux/cpu.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include "skew.h"

static void read_there(void *to)
{
	*(u64 *)to = tsc_now();
}

static void measure(unsigned int cpu, struct skew *skew)
{
	unsigned int round;
	u64 before, other;

	for (round = 0; round < SKEW_ROUNDS; round++) {
		before = tsc_now();
		if (smp_call_function_single(cpu, read_there, &other, 1))
			return;
		skew_narrow(skew, before, other, tsc_now());
	}
}

void marker_bench_skew_print(struct seq_file *m)
{
	unsigned int here, cpu;
	struct skew skew;

	for_each_online_cpu(cpu) {
		skew = SKEW_UNKNOWN;
		here = get_cpu();
		if (cpu != here)
			measure(cpu, &skew);
		put_cpu();
		if (skew.rounds)
			marker_bench_skew_print_one(m, here, cpu, &skew);
	}
}
