/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NATIVE_PEERS_H
#define NATIVE_PEERS_H

/* What else a program has to compare with: nothing. */
#define BENCH_PEERS(X)

#endif
