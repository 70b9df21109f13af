/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chains of instructions of which each needs the result of the one before, so that they
 * take a known number of core cycles: they convert cycles to ticks of the generic timer.
 *
 * Two kinds, since a core may learn to shorten one of them.  The second is no
 * multiplication here, whatever its name in the raw data: that takes 2 to 5 cycles by the
 * model, and EOR takes one on all of them, by Arm's software optimization guides.  Neither
 * has been seen on silicon.
 */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#define CHAIN_ADDS		16384	/* 1 cycle each */
#define CHAIN_IMULS		16384
#define CHAIN_IMUL_LATENCY	1

#define CHAIN(insn, length)						\
do {									\
	unsigned long __sum = 3, __by = 5, __n = (length) / 64;		\
									\
	asm volatile(".balign 64\n"					\
		     "1:\t.rept 64\n\t"					\
		     insn " %[sum], %[sum], %[by]\n\t"			\
		     ".endr\n\t"					\
		     "subs %[n], %[n], #1\n\t"				\
		     "b.ne 1b"						\
		     : [sum] "+r" (__sum), [n] "+r" (__n)		\
		     : [by] "r" (__by) : "cc");				\
} while (0)

static inline void chain_adds(void)
{
	CHAIN("add", CHAIN_ADDS);
}

static inline void chain_imuls(void)
{
	CHAIN("eor", CHAIN_IMULS);
}

#endif
