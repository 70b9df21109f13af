/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_FLUSH_H
#define BENCH_FLUSH_H

#include "env.h"

/* Write the lines of @bytes from @from on back to memory, and drop them from all caches. */
static inline void flush_lines(const void *from, unsigned long bytes)
{
	const char *at;

	for (at = from; at < (const char *)from + bytes; at += 64)
		asm volatile("dc civac, %0\n\tic ivau, %0" : : "r" (at) : "memory");
	asm volatile("dsb ish\n\tisb" : : : "memory");
}

#endif
