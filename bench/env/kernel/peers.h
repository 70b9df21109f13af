/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mechanisms of the kernel that markers are compared with, as lists of X(variant, kind), as in
 * BENCH_VARIANTS of loop.h; the native program has a file of the same name
 * (bench/env/user/peers.h), and the order of -I chooses.
 *
 *	BENCH_PEERS		in every shape, in both states
 *	BENCH_PEERS_DISABLED	in the disabled state only
 *	BENCH_PEERS_ENABLED	in the enabled state only
 *	BENCH_PEERS_SLOW	in both states, in one shape only
 *	BENCH_EVENT_PEERS	in the shape "event": peers that store events
 *
 * Peers that something is attached to are in BENCH_PEERS_ATTACHED, too, and have a struct
 * bench_peer each, marker_bench_peer_VARIANT (peer.h).  They are the lines of
 * bench/peers/peers.list, of which the build makes peers_list.h.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <linux/preempt.h>

#include "peers_list.h"

/* Gates of ours, to which markers.ko connects; the native program has none. */
#if defined(CONFIG_OPTPROBES)
#define PEERS_KPROBE_SITE(X)		X(kprobe_site, KPROBE) X(kprobe_site_jump, KPROBE_JUMP)
#elif defined(CONFIG_KPROBES)
#define PEERS_KPROBE_SITE(X)		X(kprobe_site, KPROBE)
#else
#define PEERS_KPROBE_SITE(X)
#endif

#define BENCH_PEERS(X)		BENCH_LISTED_BOTH(X)
#define BENCH_PEERS_DISABLED(X)
#define BENCH_PEERS_ENABLED(X)	X(preempt, PREEMPT)
#define BENCH_PEERS_SLOW(X)	BENCH_LISTED_SLOW(X) PEERS_KPROBE_SITE(X)
#define BENCH_EVENT_PEERS(X)	BENCH_LISTED_EVENT(X)
#define BENCH_PEERS_ATTACHED(X)	BENCH_LISTED(X)

/* Disable and enable preemption, as the code in the 2006 thread did around the probe. */
#define MARK_PREEMPT(...)						\
do {									\
	preempt_disable_notrace();					\
	preempt_enable_notrace();					\
} while (0)

#endif
