// SPDX-License-Identifier: GPL-2.0-only
/* The clock of a session's events. */
#include <linux/ktime.h>
#include "clock.h"

int marker_ctf_clock_check(enum marker_ctf_clock clock)
{
	if (clock != SESSION_CLOCK_TSC || marker_counter_khz())
		return 0;
	pr_err("ctf: clock=tsc: it is not stable here, or its frequency is not known; want clock=mono\n");
	return -EOPNOTSUPP;
}

u64 marker_ctf_clock_choose(enum marker_ctf_clock clock, struct marker_ctf_ring *ring)
{
	u32 khz = marker_counter_khz();

	ring->use_counter = clock != SESSION_CLOCK_MONO && khz;
	return ring->use_counter ? khz * 1000ull : NSEC_PER_SEC;
}

u64 marker_ctf_clock_read(const struct marker_ctf_ring *ring)
{
	if (ring->use_counter)
		return marker_counter_read();
	return ktime_get_mono_fast_ns();
}

void marker_ctf_clock_times(const struct marker_ctf_ring *ring, struct marker_ctf_time *time)
{
	u64 before, mono, gap, least = U64_MAX;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		local_irq_save(flags);
		before = marker_ctf_clock_read(ring);
		mono = ktime_get_ns();
		gap = marker_ctf_clock_read(ring) - before;
		local_irq_restore(flags);
		if (gap >= least)
			continue;
		least = gap;
		time->value = before + gap / 2;
		time->mono = mono;
	}
	if (!ring->use_counter)
		time->value = time->mono;
	/* An addition: no third clock is read, and so there is no gap. */
	time->realtime = ktime_to_ns(ktime_mono_to_real(ns_to_ktime(time->mono)));
}
