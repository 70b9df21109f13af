// SPDX-License-Identifier: GPL-2.0-only
/*
 * All peers that this kernel was built with, attached around a run. A peer that cannot be attached
 * is left out of the run, and the others are measured.
 */
#include "peer.h"

#define ENTRY(variant, KIND)	&marker_bench_peer_##variant,

static const struct bench_peer *const peers[] = {
	BENCH_PEERS_ATTACHED(ENTRY)
	NULL
};

static bool attached[ARRAY_SIZE(peers)];

void marker_bench_peers_attach(const char *only)
{
	unsigned int i;
	int ret;

	for (i = 0; peers[i]; i++) {
		if (only ? strcmp(peers[i]->name, only) : peers[i]->alone)
			continue;
		ret = peers[i]->attach();
		attached[i] = !ret;
		if (ret)
			pr_warn("%s is left out: %d\n", peers[i]->name, ret);
	}
}

void marker_bench_peers_detach(void)
{
	unsigned int i;

	for (i = 0; peers[i]; i++) {
		if (attached[i])
			peers[i]->detach();
		attached[i] = false;
	}
}

bool marker_bench_peers_ready(const struct bench_case *c)
{
	unsigned int i;

	for (i = 0; peers[i]; i++)
		if (!strcmp(peers[i]->name, c->variant))
			return attached[i];
	return true;
}
