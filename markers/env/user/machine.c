// SPDX-License-Identifier: GPL-2.0-only
/* The machine of a program: its CPU, clocks and memory (machine.h). */
#include <err.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "env.h"
#include "fence.h"
#include "machine.h"

#define CALIBRATION_NS	100000000ull
/* More than any of the programs maps later on. */
#define MAPPED_LATER	(32 << 20)

static u64 raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

unsigned int machine_tsc_khz(void)
{
	u64 ns = raw_ns(), ticks = tsc_now(), end;

	do {
		end = raw_ns();
	} while (end - ns < CALIBRATION_NS);
	return (tsc_now() - ticks) * 1000000 / (end - ns);
}

/*
 * If an unprivileged process may lock only some memory, a later mapping beyond that limit fails.
 * Then nothing is locked.
 */
static void lock_memory(void)
{
	void *later;

	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		return;
	later = mmap(NULL, MAPPED_LATER, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (later == MAP_FAILED)
		munlockall();
	else
		munmap(later, MAPPED_LATER);
}

void machine_pin_to_cpu(int cpu)
{
	cpu_set_t allowed, chosen;
	int last = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	while (last && !CPU_ISSET(last, &allowed))
		last--;
	if (cpu < 0)
		cpu = last;
	CPU_ZERO(&chosen);
	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &chosen);
	if (sched_setaffinity(0, sizeof(chosen), &chosen))
		err(1, "cannot run on CPU %d", cpu);
	/* Priority and locked memory help where they are allowed, and cost nothing elsewhere. */
	setpriority(PRIO_PROCESS, 0, -20);
	lock_memory();
}
