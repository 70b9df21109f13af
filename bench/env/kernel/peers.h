/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What else a kernel has to compare with, as lists of X(variant, kind), as in
 * BENCH_VARIANTS of loop.h; the native program has a file of the same name
 * (bench/env/user/peers.h), and the order of -I chooses.
 *
 *	BENCH_PEERS		in every shape, in both states
 *	BENCH_PEERS_DISABLED	in one only
 *	BENCH_PEERS_ENABLED	in the other only
 *	BENCH_PEERS_SLOW	in both, where one shape is enough
 *	BENCH_EVENT_PEERS	of the shape "event": what stores, always
 *
 * Those that something is attached to are in BENCH_PEERS_ATTACHED, too, and have
 * a struct bench_peer each, peer_VARIANT (peer.h).
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <linux/preempt.h>

#ifdef CONFIG_TRACEPOINTS
#include "tracepoint.h"
#define PEERS_TRACEPOINT(X)	X(tracepoint, TRACEPOINT)
#else
#define PEERS_TRACEPOINT(X)
#endif

#ifdef CONFIG_HAVE_STATIC_CALL_INLINE
#include "static_call.h"
#define PEERS_STATIC_CALL(X)						\
	X(static_call, STATIC_CALL) X(static_call_ret0, STATIC_CALL_RET0)
#else
#define PEERS_STATIC_CALL(X)
#endif

#ifdef CONFIG_OPTPROBES
#include "form_kprobe.h"
#include "kprobe.h"
#define PEERS_KPROBE(X)							\
	X(kprobe_int3, KPROBE_INT3) X(kprobe_entry, KPROBE_ENTRY)	\
	X(imm_kprobe, IMM_KPROBE) X(kprobe_opt, KPROBE_OPT)
/* Gates of ours, to which markers.ko connects; natively there are none. */
#define PEERS_KPROBE_SITE(X)		X(kprobe_site, KPROBE) X(kprobe_site_jump, KPROBE_JUMP)
#else
#define PEERS_KPROBE(X)
#define PEERS_KPROBE_SITE(X)
#endif

#ifdef CONFIG_DYNAMIC_FTRACE
#include "ftrace.h"
#include "store.h"
#include "trace_event.h"
#define PEERS_FTRACE(X)		X(ftrace, FTRACE) X(bpf, BPF)
#define PEERS_TRACE_EVENT(X)	X(trace_event, TRACE_EVENT)
#define PEERS_RING_BUFFER(X)	X(ring_buffer, RING_BUFFER) X(trace_printk, TRACE_PRINTK)
#else
#define PEERS_FTRACE(X)
#define PEERS_TRACE_EVENT(X)
#define PEERS_RING_BUFFER(X)
#endif

#ifdef CONFIG_RELAY
#define PEERS_RELAY(X)		X(relay, RELAY)
#else
#define PEERS_RELAY(X)
#endif

#define BENCH_PEERS(X)		PEERS_TRACEPOINT(X) PEERS_STATIC_CALL(X)
#define BENCH_PEERS_DISABLED(X)
#define BENCH_PEERS_ENABLED(X)	X(preempt, PREEMPT)
#define BENCH_PEERS_SLOW(X)	PEERS_OBSERVE(X) PEERS_KPROBE_SITE(X)
#define BENCH_EVENT_PEERS(X)	PEERS_TRACE_EVENT(X) PEERS_STORE(X)
#define BENCH_PEERS_ATTACHED(X)	BENCH_PEERS(X) PEERS_OBSERVE(X) PEERS_STORE(X)

#define PEERS_OBSERVE(X)	PEERS_FTRACE(X) PEERS_TRACE_EVENT(X) PEERS_KPROBE(X)
#define PEERS_STORE(X)		PEERS_RELAY(X) PEERS_RING_BUFFER(X)

/* What the thread's call did around the probe. */
#define MARK_PREEMPT(...)						\
do {									\
	preempt_disable_notrace();					\
	preempt_enable_notrace();					\
} while (0)

#endif
