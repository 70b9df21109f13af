// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wait for running probes, in a program: each thread that runs sites reports now and then that
 * it is outside of them.
 */
#include <sched.h>
#include "quiesce.h"
#include "quiescent.h"

#define THREADS_MAX 8

static unsigned long passes[THREADS_MAX];
static bool running[THREADS_MAX];

void quiescent_begin(unsigned int thread)
{
	__atomic_store_n(&running[thread], true, __ATOMIC_SEQ_CST);
}

void quiescent_pass(unsigned int thread)
{
	__atomic_store_n(&passes[thread], passes[thread] + 1, __ATOMIC_RELEASE);
}

void quiescent_end(unsigned int thread)
{
	__atomic_store_n(&running[thread], false, __ATOMIC_SEQ_CST);
}

void marker_quiesce_begin(void)
{
}

int marker_quiesce_wait(void)
{
	marker_quiesce();
	return 0;
}

void marker_quiesce(void)
{
	unsigned int i;

	for (i = 0; i < THREADS_MAX; i++) {
		unsigned long seen = __atomic_load_n(&passes[i], __ATOMIC_SEQ_CST);

		/* A pass may have been under way when the counter was read. */
		while (__atomic_load_n(&running[i], __ATOMIC_SEQ_CST) &&
		       __atomic_load_n(&passes[i], __ATOMIC_ACQUIRE) - seen < 2)
			sched_yield();
	}
}
