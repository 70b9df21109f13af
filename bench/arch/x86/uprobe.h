/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Row A11 of the thread in cycles: the form imm_expected of forms.h, while an empty uprobe
 * sits on the probe.  A program has no kprobes; the exceptions and what the kernel does to
 * return are those of a kprobe, and the way to user space and back is added.
 *
 *	form			below the uprobe	by
 *	imm_uprobe		a NOP of five bytes	emulation, or a jump since Linux 6.18
 *	imm_uprobe_step		mov %rdi,%rdi		a breakpoint, and a step of a copy
 */
#ifndef BENCH_UPROBE_H
#define BENCH_UPROBE_H

#include "forms.h"

/* The probes, which are loaded for each call. */
extern form_varargs_fn *native_uprobe_nop;
extern form_varargs_fn *native_uprobe_step;

/* Set both uprobes.  False if this kernel has none, or not for this user. */
bool native_uprobes_attach(void);

#define MARK_IMM_UPROBE(name, fmt, ...)					\
	FORM(name, fmt, FORM_HELD(READ_ONCE(native_uprobe_nop)(fmt, __VA_ARGS__)), __VA_ARGS__)
#define MARK_IMM_UPROBE_STEP(name, fmt, ...)				\
	FORM(name, fmt, FORM_HELD(READ_ONCE(native_uprobe_step)(fmt, __VA_ARGS__)), __VA_ARGS__)

/* Call X(variant, kind) for each variant of this file, as BENCH_VARIANTS() in loop.h does. */
#define BENCH_UPROBES(X)	X(imm_uprobe, IMM_UPROBE) X(imm_uprobe_step, IMM_UPROBE_STEP)

#endif
