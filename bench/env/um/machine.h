/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of the machine as User-Mode Linux sees them, which is as a program does. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <linux/types.h>

static inline char *machine_env(void)
{
	return "uml";
}

static inline const char *machine_cpu(void)
{
	static u32 name[13];
	u32 leaf, *at = name;

	for (leaf = 0x80000002; leaf <= 0x80000004; leaf++, at += 4)
		asm volatile("cpuid" : "=a" (at[0]), "=b" (at[1]), "=c" (at[2]), "=d" (at[3])
			     : "a" (leaf), "c" (0));
	return (const char *)name;
}

/* The TSC counts always. */
static inline int machine_counter_start(void)
{
	return 0;
}

static inline void machine_counter_stop(void)
{
}

/* 0: not known. */
static inline unsigned int machine_tsc_khz(void)
{
	return 0;
}

static inline bool machine_is_emulated(void)
{
	return false;
}

#endif
