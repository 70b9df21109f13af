/* SPDX-License-Identifier: GPL-2.0-only */
/* The arguments of a call with "...", and a va_list of them, as the AAPCS64 lays them out. */
#ifndef MARKERS_ARCH_ARM64_DEBUG_ARGS_H
#define MARKERS_ARCH_ARM64_DEBUG_ARGS_H

#include <linux/build_bug.h>
#include <linux/ptrace.h>
#include <linux/stdarg.h>
#include <linux/string.h>

/**
 * struct marker_debug_args - the arguments of a call
 * @registers: the first eight
 * @stack: where the caller has put the others
 */
struct marker_debug_args {
	unsigned long registers[8];
	const void *stack;
};

/* The arguments of the function that a kprobe sits at. */
static __always_inline void marker_debug_args_of(struct marker_debug_args *args,
						 const struct pt_regs *regs)
{
	memcpy(args->registers, regs->regs, sizeof(args->registers));
	args->stack = (const void *)regs->sp;
}

/*
 * Initialise @list to begin behind the first @n arguments, as va_start() does. va_end() is not
 * needed.
 */
static __always_inline void marker_debug_args_start(va_list *list,
						    const struct marker_debug_args *args,
						    unsigned int n)
{
	const struct {
		const void *stack, *gr_top, *vr_top;
		int gr_offs, vr_offs;
	} start = {
		.stack = args->stack,
		.gr_top = (const u8 *)args->registers + sizeof(args->registers),
		.gr_offs = (int)(n * sizeof(args->registers[0])) - (int)sizeof(args->registers),
	};

	BUILD_BUG_ON(sizeof(start) != sizeof(*list));
	memcpy(list, &start, sizeof(start));
}

#endif
