/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Static calls as peers: the arguments are always set up, and the call is patched. Disabled it is
 * a NOP (static_call) or, for a function with a result, `xor %eax,%eax` (static_call_ret0);
 * enabled it calls an empty function.
 */
#ifndef PEERS_STATIC_CALL_H
#define PEERS_STATIC_CALL_H

#include <linux/static_call.h>

void marker_bench_static_call_empty(int count, void *pointer);
long marker_bench_static_call_zero(int count, void *pointer);

DECLARE_STATIC_CALL(marker_bench_static_call, marker_bench_static_call_empty);
DECLARE_STATIC_CALL(marker_bench_static_call_ret0, marker_bench_static_call_zero);

#define MARK_STATIC_CALL(name, fmt, ...)				\
	static_call_cond(marker_bench_static_call)(__VA_ARGS__)
#define MARK_STATIC_CALL_RET0(name, fmt, ...)				\
	static_call(marker_bench_static_call_ret0)(__VA_ARGS__)

#endif
