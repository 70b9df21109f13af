/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembly for the measured loops on arm64.  Only the bodies of loops, LOOP_COPY(),
 * LOOP_FILLER() and LOOP_LATENCY(), put instructions into a loop.
 */
#ifndef BENCH_LOOP_ASM_H
#define BENCH_LOOP_ASM_H

#include "env_site.h"

/* NOPs that fill operand 0 bytes. */
#define LOOP_SKIP		".rept %c0 / 4\n\tnop\n\t.endr"

/*
 * Begin the next function operand 0 bytes into a cache line.  @name keeps the compiler from
 * merging functions that are equal but for their name.
 */
#define LOOP_ALIGN(name)	"/* " name " */\n\t.balign 64\n\t" LOOP_SKIP

/* The NOPs alone.  @name as above. */
#define LOOP_NOPS(name)		"/* " name " */\n\t" LOOP_SKIP

/*
 * Padding between functions: the next one begins at a multiple of @bytes. The bytes between are
 * UDF, not code.
 */
#define LOOP_PAD(bytes)							\
	asm(".pushsection .text\n\t.balign " #bytes ", 0\n\t.popsection")

/*
 * The counter is in x19 here, in every loop: no site clobbers it, and the compiler can
 * neither drop the loop nor put another counter in its place.
 */
static __always_inline unsigned long loop_keep(unsigned long counter)
{
	register unsigned long kept asm("x19") = counter;

	asm volatile("" : "+r" (kept));
	return kept;
}

/* Copies 4096 bytes from one static buffer to another, by the same instructions everywhere. */
#define LOOP_COPY_METHOD	"ldp and stp, 32 bytes at a time, inline"
#define LOOP_COPY(to, from)						\
	asm volatile("adrp x2, %c[t]\n\t"				\
		     "add x2, x2, :lo12:%c[t]\n\t"			\
		     "adrp x3, %c[f]\n\t"				\
		     "add x3, x3, :lo12:%c[f]\n\t"			\
		     "mov x4, #128\n"					\
		     "1:\tldp x5, x6, [x3], #16\n\t"			\
		     "ldp x7, x8, [x3], #16\n\t"			\
		     "stp x5, x6, [x2], #16\n\t"			\
		     "stp x7, x8, [x2], #16\n\t"			\
		     "subs x4, x4, #1\n\t"				\
		     "b.ne 1b"						\
		     : : [t] "i" (to), [f] "i" (from)			\
		     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "cc", "memory")

/* 16 additions to eight registers that sites clobber, too, and 16 NOPs: see x86. */
#define LOOP_ADD(reg)		"add " reg ", " reg ", #1\n\tnop\n\t"
#define LOOP_FILLER()							\
	asm volatile(".rept 2\n\t"					\
		     LOOP_ADD("x2") LOOP_ADD("x3") LOOP_ADD("x4") LOOP_ADD("x5") \
		     LOOP_ADD("x6") LOOP_ADD("x7") LOOP_ADD("x8") LOOP_ADD("x9") \
		     ".endr"						\
		     : : : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9")

/*
 * 4 multiplications, each of the result of the one before; also of that before the site,
 * which is why it is in a register that no site changes.
 */
#define LOOP_LATENCY()							\
	asm volatile(".rept 4\n\tmul x20, x20, x20\n\t.endr"		\
		     : : : "x20")

#endif
