// SPDX-License-Identifier: GPL-2.0-only
/* Probes that are under way: a bit for each level of context, on each CPU. */
#include <linux/percpu.h>
#include <linux/preempt.h>
#include "nesting.h"

static DEFINE_PER_CPU(unsigned int, under_way);

bool notrace marker_nesting_enter(void)
{
	unsigned int level = 1u << interrupt_context_level();

	preempt_disable_notrace();
	if (unlikely(__this_cpu_read(under_way) & level)) {
		preempt_enable_notrace();
		return false;
	}
	this_cpu_or(under_way, level);
	barrier();
	return true;
}

void notrace marker_nesting_leave(void)
{
	barrier();
	this_cpu_and(under_way, ~(1u << interrupt_context_level()));
	preempt_enable_notrace();
}
