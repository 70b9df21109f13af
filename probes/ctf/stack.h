/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks of an event: return addresses, innermost first. */
#ifndef PROBES_CTF_STACK_H
#define PROBES_CTF_STACK_H

#include "env.h"

#define STACK_MAX	32u

struct marker_ctf_stack {
	u8 n;
	unsigned long frames[STACK_MAX];
};

/*
 * Check that this kernel can record the stacks of @items, bits of ITEM_STACKS.  Return 0, or
 * -EOPNOTSUPP and log the reason.
 */
int marker_ctf_stack_check(u32 items);

/*
 * Store the kernel's stack, without the functions that the site calls.  Context: any, NMI
 * included.
 */
void marker_ctf_stack_kernel(struct marker_ctf_stack *stack);

/*
 * Store the stack of the user program that entered the kernel.  The stack is read by frame
 * pointers, and ends where a page is not in memory; a kernel thread has an empty stack.
 * Context: any, NMI included.
 */
void marker_ctf_stack_user(struct marker_ctf_stack *stack);

#endif
