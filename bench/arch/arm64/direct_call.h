/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call of a site without the gate, on arm64: the same arguments in the same registers,
 * the same clobbers.
 */
#ifndef BENCH_DIRECT_CALL_H
#define BENCH_DIRECT_CALL_H

#include "direct.h"
#include "marker.h"

#define MARK_DIRECT(name, fmt, ...)					\
	MARKER_CONCAT(marker_call_, MARKER_COUNT(__VA_ARGS__))		\
		("bl marker_bench_direct_probe\n\t", &marker_bench_direct_site, ##__VA_ARGS__)

#endif
