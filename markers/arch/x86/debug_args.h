/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A va_list for a function that is called with "..." but declares its six arguments in registers
 * by name.  Such a function need not save its registers on the stack, as a function with "..."
 * does on each call.  The layout of a va_list is that of the System V ABI.
 */
#ifndef MARKERS_ARCH_X86_DEBUG_ARGS_H
#define MARKERS_ARCH_X86_DEBUG_ARGS_H

#include <linux/build_bug.h>
#include <linux/ptrace.h>
#include <linux/stdarg.h>
#include <linux/string.h>

/**
 * struct marker_debug_args - the arguments of a call
 * @registers: the first six
 * @stack: where the caller has put the others
 */
struct marker_debug_args {
	unsigned long registers[6];
	const void *stack;
};

/* The arguments of the function that a kprobe sits at; the return address lies below the others. */
static __always_inline void marker_debug_args_of(struct marker_debug_args *args,
						 const struct pt_regs *regs)
{
	*args = (struct marker_debug_args){
		{ regs->di, regs->si, regs->dx, regs->cx, regs->r8, regs->r9 },
		(const void *)(regs->sp + sizeof(unsigned long)),
	};
}

/* Address of the seventh argument on the stack; to be used in the called function itself. */
#ifdef __CHECKER__	/* sparse does not know the builtin function */
#define MARKER_DEBUG_STACK()	NULL
#else
#define MARKER_DEBUG_STACK()	__builtin_dwarf_cfa()
#endif

/*
 * Initialise @list to begin behind the first @n arguments, as va_start() does. va_end() is not
 * needed.
 */
static __always_inline void marker_debug_args_start(va_list *list,
						    const struct marker_debug_args *args,
						    unsigned int n)
{
	const struct {
		unsigned int gp_offset, fp_offset;
		const void *overflow_arg_area, *reg_save_area;
	} start = {
		.gp_offset = n * sizeof(args->registers[0]),
		.fp_offset = sizeof(args->registers),
		.overflow_arg_area = args->stack,
		.reg_save_area = args->registers,
	};

	BUILD_BUG_ON(sizeof(start) != sizeof(*list));
	memcpy(list, &start, sizeof(start));
}

#endif
