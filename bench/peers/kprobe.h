/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kprobes as peers.  Enabled, an empty kprobe is on
 *
 *	kprobe_int3	an instruction of the loop, by breakpoint, which is int3 on x86,
 *			while debug.kprobes-optimization is 0
 *	kprobe_emulated	the same, of a jump, which kprobes emulates
 *
 * So these are measured in runs of their own (tools/vm/bench.sh).  A kernel with
 * CONFIG_PREEMPTION executes the NOP of the first by single-stepping, which is a second
 * exception, as arm64 always does; others execute a copy that jumps back, with one exception.
 * kprobe_jump.h has kprobes that are no breakpoint.
 */
#ifndef PEERS_KPROBE_H
#define PEERS_KPROBE_H

#include "kprobe_site.h"

struct kprobe;

#define MARK_KPROBE_INT3(name, fmt, ...)	KPROBE_SITE_INT3()
#define MARK_KPROBE_EMULATED(name, fmt, ...)	KPROBE_SITE_EMULATED()

/* Make @kprobe a new, empty kprobe at @addr, because a registered one keeps its old state. */
void marker_bench_kprobe_set(struct kprobe *kprobe, void *addr);

/*
 * Registers empty kprobes, one for each layout, at the addresses that @at leads to.  0, or
 * the error of register_kprobes().  May sleep.
 */
int marker_bench_kprobe_register_all(struct kprobe *kprobes, void *const *const *at);
void marker_bench_kprobe_unregister_all(struct kprobe *kprobes);

#endif
