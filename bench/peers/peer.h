/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own mechanisms to observe a place in code, as peers of the gates. The mechanism at
 * the site is a variant of the loops, and while a run is "enabled" this module attaches an empty
 * function to it. Each peer has a file in this folder and a line in peers.list.
 *
 * Not here: our own gates, to which markers.ko connects a probe.
 *
 * Locks: bench_mutex (module.c) around both functions.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "case.h"
#include "peers.h"

struct bench_peer {
	const char *name;	/* the variant */
	/*
	 * Attach an empty function. 0, or a negative errno if this kernel, with its present
	 * settings, has no such peer. May sleep.
	 */
	int (*attach)(void);
	void (*detach)(void);	/* waits for its last use; may sleep */
	bool alone;		/* the others need the kernel set otherwise: only by name */
};

#define BENCH_PEER_DECLARE(variant, KIND)				\
	extern const struct bench_peer marker_bench_peer_##variant;
BENCH_PEERS_ATTACHED(BENCH_PEER_DECLARE)

/*
 * Attach all peers but those that are measured alone, or @only one, which may be NULL or another
 * variant; the log has each failure and its reason.
 */
void marker_bench_peers_attach(const char *only);
void marker_bench_peers_detach(void);

/* True if @c can be measured enabled: it is no peer, or it is attached. */
bool marker_bench_peers_ready(const struct bench_case *c);

#endif
