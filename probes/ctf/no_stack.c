// SPDX-License-Identifier: GPL-2.0-only
/* Replaces stack.c in a kernel that cannot walk stacks, and in a program. */
#include "stack.h"

int marker_ctf_stack_check(u32 items)
{
	pr_err("ctf: context=kstack and ustack: not known here\n");
	return -EOPNOTSUPP;
}

void marker_ctf_stack_kernel(struct marker_ctf_stack *stack)
{
	stack->n = 0;
}

void marker_ctf_stack_user(struct marker_ctf_stack *stack)
{
	stack->n = 0;
}
