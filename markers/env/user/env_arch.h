/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of env_site.h and env_local.h for x86-64.  markers/env/user/arm64 has a file of the same
 * name; the order of -I chooses.
 */
#ifndef MARKERS_ENV_ARCH_H
#define MARKERS_ENV_ARCH_H

/* Operand of asm that calls or pushes, so that the compiler sets up the frame before. */
register unsigned long env_stack_pointer asm("rsp");
#define ASM_CALL_CONSTRAINT	"+r" (env_stack_pointer)

/* The kernel's instructions, but for the segment prefix that finds the CPU's data there. */
static __always_inline void env_local_add(long i, long *value)
{
	asm volatile("addq %1, %0" : "+m" (*value) : "er" (i));
}

static __always_inline long env_local_cmpxchg(long *value, long old, long new)
{
	asm volatile("cmpxchg %2, %1"
		     : "+a" (old), "+m" (*value) : "r" (new) : "memory");
	return old;
}

#endif
