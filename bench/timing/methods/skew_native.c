// SPDX-License-Identifier: GPL-2.0-only
/* Compares the counters of two CPUs (skew.h): a thread on the other CPU answers requests. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <linux/seq_file.h>
#include "skew.h"

#define PATIENCE_NS	200000000ull	/* for one CPU, which may have other work */
#define LOOKS		1000		/* for the answer, between two at the clock */

struct exchange {
	unsigned int cpu;
	u32 asked, answered;		/* rounds; the thread follows */
	u64 reading;			/* reading of the answered round */
	bool over;
	bool absent;			/* true if the thread cannot run on @cpu */
};

static void *answer(void *arg)
{
	struct exchange *x = arg;
	cpu_set_t set;
	u32 asked;

	CPU_ZERO(&set);
	CPU_SET(x->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		WRITE_ONCE(x->absent, true);
		return NULL;
	}
	while (!READ_ONCE(x->over)) {
		/* A: the question of measure() comes before the reading. */
		asked = smp_load_acquire(&x->asked);
		if (asked == x->answered)
			continue;
		x->reading = tsc_now();
		/* B: the reading comes before its answer is seen. */
		smp_store_release(&x->answered, asked);
	}
	return NULL;
}

static bool wait_for(struct exchange *x, u32 round, u64 deadline)
{
	unsigned int looks = 0;

	/* B */
	while (smp_load_acquire(&x->answered) != round)
		if (++looks % LOOKS == 0 && (READ_ONCE(x->absent) || ktime_get_ns() > deadline))
			return false;
	return true;
}

static void measure(struct exchange *x, struct skew *skew)
{
	u64 deadline = ktime_get_ns() + PATIENCE_NS, before;
	u32 round;

	for (round = 1; round <= SKEW_ROUNDS; round++) {
		before = tsc_now();
		smp_store_release(&x->asked, round);	/* A */
		if (!wait_for(x, round, deadline))
			return;
		skew_narrow(skew, before, x->reading, tsc_now());
	}
}

static void try_cpu(struct seq_file *m, unsigned int here, unsigned int cpu)
{
	struct exchange x = { .cpu = cpu };
	struct skew skew = SKEW_UNKNOWN;
	pthread_t thread;

	if (pthread_create(&thread, NULL, answer, &x))
		return;
	measure(&x, &skew);
	WRITE_ONCE(x.over, true);
	pthread_join(thread, NULL);
	if (skew.rounds)
		marker_bench_skew_print_one(m, here, cpu, &skew);
}

void marker_bench_skew_print(struct seq_file *m)
{
	int cpu, here = sched_getcpu(), cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 0; cpu < cpus && here >= 0; cpu++)
		if (cpu != here)
			try_cpu(m, here, cpu);
}
