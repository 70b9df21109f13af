/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An instruction for a kprobe: a NOP, or a branch to the next instruction, which
 * kprobes emulates.  A variable marker_bench_kprobe_WHICH_LAYOUT has its address;
 * @layout is that of the loop (loop.h).  arm64 makes no jump of a kprobe.
 *
 * See site.h about the section's name.
 */
#ifndef BENCH_ARCH_KPROBE_SITE_H
#define BENCH_ARCH_KPROBE_SITE_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/debug-monitors.h>

extern void *const marker_bench_kprobe_int3_0, *const marker_bench_kprobe_int3_1;
extern void *const marker_bench_kprobe_int3_2, *const marker_bench_kprobe_int3_3;
extern void *const marker_bench_kprobe_emulated_0, *const marker_bench_kprobe_emulated_1;
extern void *const marker_bench_kprobe_emulated_2, *const marker_bench_kprobe_emulated_3;

#define KPROBE_SITE(which, insn)					\
	asm volatile("771: " insn "\n\t"				\
		     ".pushsection .discard_bench_kprobes, \"aw\"\n\t"	\
		     ".balign 8\n\t"					\
		     ".globl marker_bench_kprobe_" which "_%c0\n\t"	\
		     "marker_bench_kprobe_" which "_%c0: .quad 771b\n\t" \
		     ".popsection" : : "i" (layout))

#define KPROBE_SITE_INT3()	KPROBE_SITE("int3", "nop")
#define KPROBE_SITE_EMULATED()	KPROBE_SITE("emulated", "b . + 4")

/* True if the instruction is the breakpoint of a kprobe. */
static inline bool kprobe_site_is_breakpoint(const void *addr)
{
	return READ_ONCE(*(const u32 *)addr) == BRK64_OPCODE_KPROBES;
}

#endif
