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

/* -EOPNOTSUPP, and the log says so: there are no such stacks here, of ITEM_STACKS. */
int marker_ctf_stack_check(u32 items);

/* Get the kernel's stack, from the site on.  Context: any, NMI included. */
void marker_ctf_stack_kernel(struct marker_ctf_stack *stack);

/*
 * Get the stack of the user program that the thread came from, by its frame pointers, as far as
 * it is in memory; an empty one for a kernel thread.  Context: any, NMI included.
 */
void marker_ctf_stack_user(struct marker_ctf_stack *stack);

#endif
