/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kprobes that are no breakpoint, as peers.  Enabled, an empty kprobe is on
 *
 *	kprobe_opt	a NOP, by the jump that the kernel makes of it when
 *			debug.kprobes-optimization is 1 and the code permits
 *	kprobe_entry	the first instruction of a function that the loop calls,
 *			which is done through ftrace
 */
#ifndef PEERS_KPROBE_JUMP_H
#define PEERS_KPROBE_JUMP_H

#include "kprobe_site.h"

void marker_bench_kprobe_entry_target(int count, void *pointer);

#define MARK_KPROBE_OPT(name, fmt, ...)		KPROBE_SITE_OPT()
#define MARK_KPROBE_ENTRY(name, fmt, ...)	marker_bench_kprobe_entry_target(__VA_ARGS__)

#endif
