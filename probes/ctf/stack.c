// SPDX-License-Identifier: GPL-2.0-only
/* Walks the stacks of an event.  no_stack.c: where there is no CONFIG_STACKTRACE. */
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include "items.h"
#include "marker_probe.h"
#include "stack.h"
#include "user_frame.h"

int marker_ctf_stack_check(u32 items)
{
	if (!(items & ITEM_USTACK) || MARKER_HAS_USER_FRAMES)
		return 0;
	pr_err("ctf: context=ustack: not known on this architecture\n");
	return -EOPNOTSUPP;
}

static bool notrace is_ours(unsigned long ip)
{
	return marker_core_has(ip) || within_module(ip, THIS_MODULE);
}

void notrace marker_ctf_stack_kernel(struct marker_ctf_stack *stack)
{
	unsigned int n = stack_trace_save(stack->frames, STACK_MAX, 0), own = 0;

	while (own < n && is_ours(stack->frames[own]))
		own++;
	stack->n = n - own;
	memmove(stack->frames, stack->frames + own, stack->n * sizeof(*stack->frames));
}

void notrace marker_ctf_stack_user(struct marker_ctf_stack *stack)
{
	unsigned long frame, pair[2];

	stack->n = 0;
	if (current->flags & PF_KTHREAD || !current->mm)
		return;
	marker_user_frame_first(task_pt_regs(current), &stack->frames[0], &frame);
	if (!stack->frames[0])
		return;
	/* A frame is the address of the next one, which is above, and a return address. */
	for (stack->n = 1; stack->n < STACK_MAX && frame && !(frame % sizeof(frame)); stack->n++) {
		if (copy_from_user_nofault(pair, (void __user *)frame, sizeof(pair)) || !pair[1])
			return;
		stack->frames[stack->n] = pair[1] & MARKER_USER_ADDRESS;
		frame = pair[0] > frame ? pair[0] : 0;
	}
}
