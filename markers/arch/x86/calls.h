/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of x86-64: the code behind a gate that calls the probe. Included by gates.h, whose
 * entries this file uses.
 */
#ifndef MARKERS_ARCH_CALLS_H
#define MARKERS_ARCH_CALLS_H

/*
 * The call of a marker_fn: link, site and four words in registers; a register that carries no
 * argument is clobbered. With more than four arguments, the fourth and the following ones are
 * pushed, and the fourth word is their address.
 *
 * The instruction has an entry in the section tables, so that markers.ko can make it call the
 * probe itself, without loading a pointer and without a retpoline.
 */
#define MARKER_CALL_ENTRY						\
	".pushsection .discard_marker_calls, \"aw\"\n\t"		\
	".balign 4\n\t"							\
	".long 771b - ., %c[site] - .\n\t"				\
	".popsection\n\t"						\
	MARKER_KEEP_OFF("771b")

#define MARKER_INSN_CALL	"771: call %c[none]\n\t" MARKER_CALL_ENTRY

#define marker_call(site, ...)						\
	MARKER_CONCAT(marker_call_, MARKER_COUNT(__VA_ARGS__))		\
		(MARKER_INSN_CALL, site, ##__VA_ARGS__)

#define MARKER_UNPAREN(...)	__VA_ARGS__

/*
 * @regs and @stack are operands, each with a comma in front and the whole in
 * parentheses; the registers without an argument follow as clobbers.  Link and
 * site are set here, where the compiler cannot hoist them into the hot path.
 */
#define MARKER_CALL_ASM(insn, where, regs, stack, ...)			\
	asm volatile("mov $%c[site], %%rsi\n\t"			\
		     "mov %c[link](%%rsi), %%rdi\n\t" insn		\
		     : ASM_CALL_CONSTRAINT MARKER_UNPAREN regs		\
		     : [site] "i" (where),				\
		       [link] "i" (offsetof(struct marker_site, link)),	\
		       [none] "i" (marker_unconnected)			\
		       MARKER_RESERVE_OPERANDS MARKER_UNPAREN stack	\
		     : "rax", "rdi", "rsi", "r10", "r11", "memory", "cc", \
		       ##__VA_ARGS__)

/*
 * Values first: a register variable does not survive a call in an argument.
 * And register variables rather than constraints, since the compiler would
 * move the loading of a constant out of the cold block and out of a loop
 * around the site, into a register that the hot path has to save.
 */
#define marker_call_MANY(insn, where, ...)	marker_call_0(insn, where)
#define marker_call_0(insn, where)					\
	MARKER_CALL_ASM(insn, where, (), (), "rdx", "rcx", "r8", "r9")

#define marker_call_1(insn, where, a)					\
do {									\
	unsigned long __a1 = MARKER_WORD(a);				\
	register unsigned long __a asm("rdx") = __a1;			\
									\
	MARKER_CALL_ASM(insn, where, (, "+r" (__a)), (), "rcx", "r8", "r9"); \
} while (0)

#define marker_call_2(insn, where, a, b)				\
do {									\
	unsigned long __a1 = MARKER_WORD(a);				\
	unsigned long __b1 = MARKER_WORD(b);				\
	register unsigned long __a asm("rdx") = __a1;			\
	register unsigned long __b asm("rcx") = __b1;			\
									\
	MARKER_CALL_ASM(insn, where, (, "+r" (__a), "+r" (__b)), (),	\
			"r8", "r9");					\
} while (0)

#define marker_call_3(insn, where, a, b, c)				\
do {									\
	unsigned long __a1 = MARKER_WORD(a);				\
	unsigned long __b1 = MARKER_WORD(b);				\
	unsigned long __c1 = MARKER_WORD(c);				\
	register unsigned long __a asm("rdx") = __a1;			\
	register unsigned long __b asm("rcx") = __b1;			\
	register unsigned long __c asm("r8") = __c1;			\
									\
	MARKER_CALL_ASM(insn, where,					\
			(, "+r" (__a), "+r" (__b), "+r" (__c)), (), "r9"); \
} while (0)

#define marker_call_4(insn, where, a, b, c, d)				\
	marker_call_stack(insn, where, a, b, c, d, ())

#define marker_call_5(insn, where, a, b, c, d, e)			\
	marker_call_8(insn, where, a, b, c, d, e, 0, 0, 0)

#define marker_call_6(insn, where, a, b, c, d, e, f)			\
	marker_call_8(insn, where, a, b, c, d, e, f, 0, 0)

#define marker_call_7(insn, where, a, b, c, d, e, f, g)			\
	marker_call_8(insn, where, a, b, c, d, e, f, g, 0)

#define marker_call_8(insn, where, a, b, c, d, e, f, g, h)		\
do {									\
	unsigned long __e = MARKER_WORD(e), __f = MARKER_WORD(f);	\
	unsigned long __g = MARKER_WORD(g), __h = MARKER_WORD(h);	\
									\
	marker_call_stack("push %[s3]\n\tpush %[s2]\n\t"		\
			  "push %[s1]\n\tpush %[s0]\n\t"		\
			  "push %%r9\n\tmov %%rsp, %%r9\n\t" insn	\
			  "add $40, %%rsp\n\t", where, a, b, c, d,	\
			  (, [s0] "re" (__e), [s1] "re" (__f),		\
			   [s2] "re" (__g), [s3] "re" (__h)));		\
} while (0)

#define marker_call_stack(insn, where, a, b, c, d, stack)		\
do {									\
	unsigned long __a1 = MARKER_WORD(a);				\
	unsigned long __b1 = MARKER_WORD(b);				\
	unsigned long __c1 = MARKER_WORD(c);				\
	unsigned long __d1 = MARKER_WORD(d);				\
	register unsigned long __a asm("rdx") = __a1;			\
	register unsigned long __b asm("rcx") = __b1;			\
	register unsigned long __c asm("r8") = __c1;			\
	register unsigned long __d asm("r9") = __d1;			\
									\
	MARKER_CALL_ASM(insn, where, (, "+r" (__a), "+r" (__b),		\
			"+r" (__c), "+r" (__d)), stack);		\
} while (0)

#endif
