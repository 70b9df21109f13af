/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mechanisms of programs that markers are compared with.  A kernel has a file of the same name
 * (bench/env/kernel/peers.h); the order of -I chooses.
 */
#ifndef NATIVE_PEERS_H
#define NATIVE_PEERS_H

#include "flag.h"
#include "lttng.h"
#include "retpoline.h"
#include "uprobe.h"
#include "usdt.h"

/* X(variant, kind), as in BENCH_VARIANTS of loop.h; of each state, or of one. */
#define BENCH_PEERS(X)		X(flag, FLAG)
#define BENCH_PEERS_DISABLED(X)	BENCH_LTTNG(X) BENCH_USDT(X)
#define BENCH_PEERS_ENABLED(X)	BENCH_RETPOLINE(X)
#define BENCH_PEERS_SLOW(X)	BENCH_UPROBES(X)

/* Peers of the shape "event", which store events in both states. */
#define BENCH_EVENT_PEERS(X)	BENCH_LTTNG(X)

#endif
