/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chains of instructions of which each needs the result of the previous one, so that they take a
 * known number of core cycles and convert ticks to cycles. There are two kinds, because a core may
 * learn to shorten one of them.
 */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#define CHAIN_ADDS		16384	/* 1 cycle each */
#define CHAIN_IMULS		8192
/*
 * Cycles of a multiplication of 32 bits, on most x86-64 cores since 2008. One of 64 bits takes 4
 * on AMD's Zen 1, and 5 on Intel's Silvermont and Goldmont.
 */
#define CHAIN_IMUL_LATENCY	3

/* The two registers are never equal, so that no add is a shift by one. */
#define CHAIN(insn, length)						\
do {									\
	unsigned long __sum = 3, __by = 5, __n = (length) / 64;		\
									\
	asm volatile(".balign 64\n"					\
		     "1:\t.rept 64\n\t"					\
		     insn " %k[by], %k[sum]\n\t"				\
		     ".endr\n\t"					\
		     "dec %[n]\n\t"					\
		     "jnz 1b"						\
		     : [sum] "+r" (__sum), [n] "+r" (__n)		\
		     : [by] "r" (__by) : "cc");				\
} while (0)

static inline void chain_adds(void)
{
	CHAIN("add", CHAIN_ADDS);
}

static inline void chain_imuls(void)
{
	CHAIN("imul", CHAIN_IMULS);
}

#endif
