/* SPDX-License-Identifier: GPL-2.0-only */
/* Code of known length that the methods of timing measure, so that they can be judged. */
#ifndef BENCH_MEASURED_H
#define BENCH_MEASURED_H

#include "env_site.h"

/*
 * The measured_loop() of Paoloni: one more store for each @stores.  In
 * assembly, so that a store is MEASURED_INSNS instructions everywhere.
 */
#define MEASURED_INSNS	3

static __always_inline void measured_stores(unsigned long stores, u32 *variable)
{
	if (!stores)
		return;
	asm volatile("1:\tmovl $1, %[variable]\n\t"
		     "dec %[stores]\n\t"
		     "jnz 1b"
		     : [stores] "+r" (stores), [variable] "=m" (*variable) : : "cc");
}

/*
 * A chain of multiplications, each of which needs the result of the previous one and takes 3
 * cycles (chain.h). Only a fence waits for the end of the chain.
 */
#define MEASURED_CHAIN	64

static __always_inline void measured_chain(void)
{
	unsigned long product = 3;

	asm volatile(".rept 64\n\t"
		     "imul %k[product], %k[product]\n\t"
		     ".endr"
		     : [product] "+r" (product) : : "cc");
}

#endif
