/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An instruction for a kprobe, of five bytes, which is as long as the
 * jump of an optimised kprobe: a NOP, or a jump to the next instruction, which
 * kprobes emulates.  Its address is in a variable
 * marker_bench_kprobe_WHICH_LAYOUT; @layout is that of the loop (loop.h).
 *
 * See site.h about the section's name.
 */
#ifndef BENCH_ARCH_KPROBE_SITE_H
#define BENCH_ARCH_KPROBE_SITE_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/text-patching.h>

extern void *const marker_bench_kprobe_int3_0, *const marker_bench_kprobe_int3_1;
extern void *const marker_bench_kprobe_int3_2, *const marker_bench_kprobe_int3_3;
extern void *const marker_bench_kprobe_emulated_0, *const marker_bench_kprobe_emulated_1;
extern void *const marker_bench_kprobe_emulated_2, *const marker_bench_kprobe_emulated_3;
extern void *const marker_bench_kprobe_opt_0, *const marker_bench_kprobe_opt_1;
extern void *const marker_bench_kprobe_opt_2, *const marker_bench_kprobe_opt_3;

#define KPROBE_SITE(which, bytes)					\
	asm volatile("771: .byte " bytes "\n\t"			\
		     ".pushsection .discard_bench_kprobes, \"aw\"\n\t"	\
		     ".balign 8\n\t"					\
		     ".globl marker_bench_kprobe_" which "_%c0\n\t"	\
		     "marker_bench_kprobe_" which "_%c0: .quad 771b\n\t" \
		     ".popsection" : : "i" (layout))

#define KPROBE_SITE_INT3()	KPROBE_SITE("int3", "0x0f, 0x1f, 0x44, 0x00, 0x00")
#define KPROBE_SITE_EMULATED()	KPROBE_SITE("emulated", "0xe9, 0x00, 0x00, 0x00, 0x00")
#define KPROBE_SITE_OPT()	KPROBE_SITE("opt", "0x0f, 0x1f, 0x44, 0x00, 0x00")

/* True if the instruction is the breakpoint of a kprobe. */
static inline bool kprobe_site_is_breakpoint(const void *addr)
{
	return READ_ONCE(*(const u8 *)addr) == INT3_INSN_OPCODE;
}

/* A site without code, with room for the jump; in a bare loop the loop's own jump is near. */
#define MARK_KPROBE_JUMP(name, fmt, ...)				\
do {									\
	MARK_KPROBE(name, fmt, ##__VA_ARGS__);				\
	asm volatile(MARKER_NOP5);					\
} while (0)

#endif
