/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * USDT as a peer: a NOP, and a note in the ELF file with the address of the NOP and the places of
 * the arguments, for debuggers. Where sys/sdt.h is not installed, native.mk chooses the file of
 * the same name in no-usdt.
 */
#ifndef NATIVE_USDT_H
#define NATIVE_USDT_H

#include <sys/sdt.h>

#define BENCH_USDT(X)	X(usdt, USDT)

#define MARK_USDT(name, fmt, count, pointer)	DTRACE_PROBE2(marker_bench, name, count, pointer)

#endif
