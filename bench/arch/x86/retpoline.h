/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call by a pointer that no branch predictor is asked about (a "retpoline"),
 * in programs.  In a kernel the compiler makes its calls so, where that is
 * configured, and the forms (forms.h) show it.
 */
#ifndef BENCH_RETPOLINE_H
#define BENCH_RETPOLINE_H

#include "direct.h"
#include "marker.h"

/* Jump to %rax, with the same effect as a call of it. */
void marker_bench_retpoline(void);

/* Like MARK_DIRECT(), but the call goes through a retpoline. */
#define MARK_RETPOLINE(name, fmt, ...)					\
	MARKER_CONCAT(marker_call_, MARKER_COUNT(__VA_ARGS__))		\
		("mov marker_bench_direct_pointer(%%rip), %%rax\n\t"	\
		 "call marker_bench_retpoline\n\t", &marker_bench_direct_site, ##__VA_ARGS__)

/* X(variant, kind), as in BENCH_VARIANTS of loop.h. */
#define BENCH_RETPOLINE(X)	X(retpoline, RETPOLINE)

#endif
