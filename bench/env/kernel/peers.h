/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What else a kernel has to compare with; the native program has a file of the
 * same name (tools/native/peers.h), and the order of -I chooses.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "tracepoint.h"

/* X(variant, kind), as in BENCH_VARIANTS of loop.h; of each state, or of one. */
#ifdef CONFIG_TRACEPOINTS
#define BENCH_PEERS(X)	X(tracepoint, TRACEPOINT)
#else
#define BENCH_PEERS(X)
#endif
#define BENCH_PEERS_DISABLED(X)
#define BENCH_PEERS_ENABLED(X)

/* Of the shape "event": what stores, always. */
#define BENCH_EVENT_PEERS(X)

#endif
