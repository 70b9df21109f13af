/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of a session's events: the counter of the CPU, or the kernel's monotonic clock. */
#ifndef PROBES_CTF_CLOCK_H
#define PROBES_CTF_CLOCK_H

#include "ctf.h"

enum marker_ctf_clock { SESSION_CLOCK_AUTO, SESSION_CLOCK_TSC, SESSION_CLOCK_MONO };

/* A moment, read from three clocks. */
struct marker_ctf_time {
	u64 value;			/* value of the clock of the events */
	u64 mono;			/* ns of the kernel's monotonic clock */
	u64 realtime;			/* ns since 1970 */
};

/* -EOPNOTSUPP if the clock cannot be had, which is logged. */
int marker_ctf_clock_check(enum marker_ctf_clock clock);

/* Make @clock the clock of the ring, or the monotonic clock if it is unavailable; return its Hz. */
u64 marker_ctf_clock_choose(enum marker_ctf_clock clock, struct marker_ctf_ring *ring);

/* Read the clock of the ring.  Context: any. */
u64 notrace marker_ctf_clock_read(const struct marker_ctf_ring *ring);

/* Read all three clocks at one time, as near as five tries bring them together. */
void marker_ctf_clock_times(const struct marker_ctf_ring *ring, struct marker_ctf_time *time);

#endif
