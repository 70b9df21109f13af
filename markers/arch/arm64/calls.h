/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of arm64: the code behind a gate that calls the probe. Included by gates.h, whose
 * entries this file uses.
 */
#ifndef MARKERS_ARCH_CALLS_H
#define MARKERS_ARCH_CALLS_H

/*
 * Two targets of a BL that does not lead to the probe itself, once in each object.
 * marker_call_none: nothing is connected.  marker_call_link, 4 bytes behind it (CALL_LINK in
 * gates.c): the probe is further away than the 128 MB that a BL reaches, and the link that the
 * site has loaded names it.  The jump uses x16, so that it may go to the "bti c" at the
 * beginning of a function.
 */
#define MARKER_CALL_STUBS						\
	".ifndef marker_call_none\n\t"					\
	".pushsection .text.unlikely.marker_call, \"ax\"\n\t"	\
	".balign 4\n\t"							\
	".type marker_call_none, %%function\n"				\
	"marker_call_none: ret\n\t"					\
	".size marker_call_none, . - marker_call_none\n\t"		\
	".type marker_call_link, %%function\n"				\
	"marker_call_link: ldr x16, [x0, %[func]]\n\t"			\
	"br x16\n\t"							\
	".size marker_call_link, . - marker_call_link\n\t"		\
	".popsection\n\t"						\
	".endif\n\t"

/*
 * The call of a marker_fn: link, site and four words in registers.  The instruction is
 * recorded, so that it can be made to call the probe itself.
 */
#define MARKER_INSN_CALL						\
	"771: bl marker_call_none\n\t"					\
	".pushsection .discard_marker_calls, \"aw\"\n\t"		\
	".balign 4\n\t"							\
	".long 771b - ., %c[site] - .\n\t"				\
	".popsection\n\t"						\
	MARKER_KEEP_OFF("771b")

#define marker_call(site, ...)						\
	MARKER_CONCAT(marker_call_, MARKER_COUNT(__VA_ARGS__))		\
		(MARKER_INSN_CALL, site, ##__VA_ARGS__)

#define MARKER_UNPAREN(...)	__VA_ARGS__

/* Clobber of x18, unless x18 holds the shadow call stack. */
#ifdef CONFIG_SHADOW_CALL_STACK
#define MARKER_CLOBBER_X18
#else
#define MARKER_CLOBBER_X18	"x18",
#endif

/*
 * Call with all registers clobbered that a function may change by the AAPCS64, except vector
 * registers, which the kernel's functions do not use.  @regs are operands, the whole in
 * parentheses; the argument registers without an argument follow as clobbers.  Link and site
 * are set here, where the compiler cannot hoist them into the hot path.  Because x30 is
 * clobbered, the function around has a frame, and signs its return address where functions do
 * (PAC).
 */
#define MARKER_CALL_ASM(insn, where, regs, ...)				\
	asm volatile(MARKER_CALL_STUBS					\
		     "adrp x1, %c[site]\n\t"				\
		     "add x1, x1, :lo12:%c[site]\n\t"			\
		     "ldr x0, [x1, %[link]]\n\t" insn			\
		     : MARKER_UNPAREN regs				\
		     : [site] "i" (where),				\
		       [link] "i" (offsetof(struct marker_site, link)),	\
		       [func] "i" (offsetof(struct marker_link, func))	\
		       MARKER_RESERVE_OPERANDS				\
		     : MARKER_CLOBBER_X18 "cc", "x0", "x1", "x10", "x11", "x12", "x13", "x14", \
		       "x15", "x16", "x17", "x30", "memory", ##__VA_ARGS__)

/*
 * Values first: a register variable does not survive a call in an argument.  And
 * register variables rather than constraints, since the compiler would move the loading
 * of a constant out of the cold block and out of a loop around the site.
 */
#define MARKER_CALL_VALUE(i, x)		unsigned long __a##i = MARKER_WORD(x);
#define MARKER_CALL_REGISTER(i, x)					\
	register unsigned long __r##i asm(MARKER_CALL_X##i) = __a##i;
#define MARKER_CALL_OPERAND_0(x)	"+r" (__r0)
#define MARKER_CALL_OPERAND_1(x)	, "+r" (__r1)
#define MARKER_CALL_OPERAND_2(x)	, "+r" (__r2)
#define MARKER_CALL_OPERAND_3(x)	, "+r" (__r3)
#define MARKER_CALL_OPERAND_4(x)	, "+r" (__r4)
#define MARKER_CALL_OPERAND_5(x)	, "+r" (__r5)
#define MARKER_CALL_OPERAND_6(x)	, "+r" (__r6)
#define MARKER_CALL_OPERAND_7(x)	, "+r" (__r7)
#define MARKER_CALL_OPERAND(i, x)	MARKER_CALL_OPERAND_##i(x)
#define MARKER_CALL_X0	"x2"
#define MARKER_CALL_X1	"x3"
#define MARKER_CALL_X2	"x4"
#define MARKER_CALL_X3	"x5"
#define MARKER_CALL_X4	"x6"
#define MARKER_CALL_X5	"x7"
#define MARKER_CALL_X6	"x8"
#define MARKER_CALL_X7	"x9"

/* @clobbers: the registers up to x9 that have no argument, in parentheses. */
#define MARKER_CALL_WORDS(insn, where, clobbers, ...)			\
do {									\
	MARKER_MAP(MARKER_CALL_VALUE, __VA_ARGS__)			\
	MARKER_MAP(MARKER_CALL_REGISTER, __VA_ARGS__)			\
									\
	MARKER_CALL_ASM(insn, where, (MARKER_MAP(MARKER_CALL_OPERAND, __VA_ARGS__)), \
			MARKER_UNPAREN clobbers);			\
} while (0)

#define marker_call_MANY(insn, where, ...)	marker_call_0(insn, where)
#define marker_call_0(insn, where)					\
	MARKER_CALL_ASM(insn, where, (), "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9")

#define marker_call_1(insn, where, ...)					\
	MARKER_CALL_WORDS(insn, where, ("x3", "x4", "x5", "x6", "x7", "x8", "x9"), __VA_ARGS__)

#define marker_call_2(insn, where, ...)					\
	MARKER_CALL_WORDS(insn, where, ("x4", "x5", "x6", "x7", "x8", "x9"), __VA_ARGS__)

#define marker_call_3(insn, where, ...)					\
	MARKER_CALL_WORDS(insn, where, ("x5", "x6", "x7", "x8", "x9"), __VA_ARGS__)

#define marker_call_4(insn, where, ...)					\
	MARKER_CALL_WORDS(insn, where, ("x6", "x7", "x8", "x9"), __VA_ARGS__)

#define marker_call_5(insn, where, ...)					\
	marker_call_8(insn, where, __VA_ARGS__, 0, 0, 0)

#define marker_call_6(insn, where, ...)					\
	marker_call_8(insn, where, __VA_ARGS__, 0, 0)

#define marker_call_7(insn, where, ...)					\
	marker_call_8(insn, where, __VA_ARGS__, 0)

/* The fourth argument and those behind it are pushed; the fourth word is where they are. */
#define marker_call_8(insn, where, ...)					\
	MARKER_CALL_WORDS("sub sp, sp, #48\n\tstr x5, [sp]\n\t"		\
			  "stp x6, x7, [sp, #8]\n\tstp x8, x9, [sp, #24]\n\t" \
			  "mov x5, sp\n\t" insn				\
			  "add sp, sp, #48\n\t", where, ("memory"), __VA_ARGS__)

#endif
