// SPDX-License-Identifier: GPL-2.0-only
/* A loop with nothing in it but one site: rows A1, A3 and A5 to A10 of the thread. */
#define BENCH_SHAPE		empty
#define BENCH_SITES		1
#define BENCH_LOOPS_DISABLED	10000000
#define BENCH_LOOPS_ENABLED	100000
#define BENCH_BODY(SITE)	SITE
#define BENCH_SLOW		BENCH_PEERS_SLOW

#include "forms.h"
#include "loop.h"

#define EMPTY_ENABLED(X)	BENCH_ALL_ENABLED(X) BENCH_GATES_FORMS(X)

BENCH_CASES_OF(BENCH_VARIANTS_ALL, BENCH_PEERS, BENCH_PEERS_DISABLED, EMPTY_ENABLED);
