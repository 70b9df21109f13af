# SPDX-License-Identifier: GPL-2.0-only
"""The ways to read the time stamp counter, as bench/arch/x86/fences.h names them. On arm64 a
guest under icount has one: of the counters there, only the ticks of PMCCNTR are instructions."""

from __future__ import annotations

FENCES = ("lfence", "lfence_rdtsc", "cpuid", "rdtscp", "serialize", "rdtsc", "cr0")  # cr0: in kernels only
