/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembly for the measured loops on x86-64.  Only the bodies of loops, LOOP_COPY(),
 * LOOP_FILLER() and LOOP_LATENCY(), put instructions into a loop.
 */
#ifndef BENCH_LOOP_ASM_H
#define BENCH_LOOP_ASM_H

#include "env_site.h"

/* Operand 0 bytes of NOPs; the assembler of clang refuses ".nops 0". */
#define LOOP_SKIP		".if %c0\n\t.nops %c0\n\t.endif"

/*
 * Begin the next function operand 0 bytes into a cache line.  @name keeps the compiler from
 * merging functions that are equal but for their name.
 */
#define LOOP_ALIGN(name)	"/* " name " */\n\t.balign 64\n\t" LOOP_SKIP

/* The NOPs alone.  @name as above. */
#define LOOP_NOPS(name)		"/* " name " */\n\t" LOOP_SKIP

/*
 * Padding between functions: the next one begins at a multiple of @bytes. The bytes between are
 * not code, as the assembler's own padding would be.
 */
#define LOOP_PAD(bytes)							\
	asm(".pushsection .text\n\t.balign " #bytes ", 0xcc\n\t.popsection")

/*
 * The counter is in %rbx here, in every loop: no site clobbers it, and the
 * compiler can neither drop the loop nor put another counter in its place.
 */
static __always_inline unsigned long loop_keep(unsigned long counter)
{
	asm volatile("" : "+b" (counter));
	return counter;
}

/*
 * Copies 4096 bytes from one static buffer to another.  In 2006 the compiler
 * made this of memcpy() on the spot; written out, it is the same instruction
 * in every environment.
 */
#define LOOP_COPY_METHOD	"rep movsq, inline"
#define LOOP_COPY(to, from)						\
do {									\
	unsigned long __to, __from, __n;				\
									\
	asm volatile("lea %c[t](%%rip), %%rdi\n\t"			\
		     "lea %c[f](%%rip), %%rsi\n\t"			\
		     "mov $512, %%ecx\n\t"				\
		     "rep movsq"					\
		     : "=D" (__to), "=S" (__from), "=c" (__n)		\
		     : [t] "i" (to), [f] "i" (from) : "memory");	\
} while (0)

/*
 * 16 additions to eight registers that sites clobber, too, and 16 NOPs between them. Additions
 * alone would leave a core that begins more instructions in a cycle than it can add room for a NOP.
 */
#define LOOP_ADD(reg)		"add $1, %%" reg "\n\tnopl (%%rax)\n\t"
#define LOOP_FILLER()							\
	asm volatile(".rept 2\n\t"					\
		     LOOP_ADD("rcx") LOOP_ADD("rdx") LOOP_ADD("rsi") LOOP_ADD("rdi") \
		     LOOP_ADD("r8") LOOP_ADD("r9") LOOP_ADD("r10") LOOP_ADD("r11") \
		     ".endr"						\
		     : : : "rcx", "rdx", "rsi", "rdi",			\
			   "r8", "r9", "r10", "r11", "cc")

/*
 * 4 multiplications, 12 cycles, each of the result of the one before; also of
 * that before the site, which is why it is in a register that no site changes.
 * (A second one is saved with it, so that the stack is aligned in any loop.)
 */
#define LOOP_LATENCY()							\
	asm volatile(".rept 4\n\timul %%r12d, %%r12d\n\t.endr"		\
		     : : : "r12", "r13", "cc")

#endif
