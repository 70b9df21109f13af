/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kprobes as peers.  Enabled, an empty one sits on
 *
 *	kprobe_int3	an instruction of the loop, by breakpoint, while
 *			debug.kprobes-optimization is 0
 *	kprobe_emulated	the same, of a jump, which kprobes emulates
 *	kprobe_opt	on a NOP, by the jump that the kernel makes of it when
 *			debug.kprobes-optimization is 1 and the code permits
 *	kprobe_entry	the first instruction of a function that the loop calls,
 *			which is done through ftrace
 *
 * So the first two are measured in runs of their own (tools/vm/bench.sh).  A kernel with
 * CONFIG_PREEMPTION steps over the NOP of the first, which is a second exception; others
 * execute a copy of it that jumps back, and need one.
 */
#ifndef PEERS_KPROBE_H
#define PEERS_KPROBE_H

#include "kprobe_site.h"

void marker_bench_kprobe_entry_target(int count, void *pointer);

#define MARK_KPROBE_INT3(name, fmt, ...)	KPROBE_SITE_INT3()
#define MARK_KPROBE_EMULATED(name, fmt, ...)	KPROBE_SITE_EMULATED()
#define MARK_KPROBE_OPT(name, fmt, ...)		KPROBE_SITE_OPT()
#define MARK_KPROBE_ENTRY(name, fmt, ...)	marker_bench_kprobe_entry_target(__VA_ARGS__)

#endif
