/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The light half of env.h: all that instrumented code pulls in through
 * marker.h.  The native build has a file of the same name.
 */
#ifndef MARKERS_ENV_SITE_H
#define MARKERS_ENV_SITE_H

#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/types.h>

#ifdef CONFIG_DEBUG_ATOMIC_SLEEP
/* Included for non_block_start(), which uses a counter in struct task_struct. */
#include <linux/sched.h>
#endif

#ifdef CONFIG_X86_64
#include <asm/asm.h>
#endif
#include <asm/barrier.h>

/*
 * Without CONFIG_KALLSYMS_ALL a module that is loaded keeps its symbols of text only.
 * So there it also has a struct marker_bounds in text, once in each object, which is
 * read and never executed.  objtool would decode it.
 */
#if !defined(CONFIG_KALLSYMS_ALL) && !defined(CONFIG_OBJTOOL)
#define MARKER_BOUNDS_IN_TEXT	1
#define MARKER_KEEP_BOUNDS						\
	; asm volatile(".ifndef __marker_bounds\n\t"			\
		     ".pushsection .text.marker_bounds, \"ax\"\n\t"	\
		     ".balign 8\n"					\
		     "__marker_bounds:\n\t"				\
		     ".quad __marker_sites, __marker_sites_end\n\t"	\
		     ".quad __marker_gates, __marker_gates_end\n\t"	\
		     ".quad __marker_calls, __marker_calls_end\n\t"	\
		     ".quad __marker_abi, __marker_abi_end\n\t"		\
		     ".popsection\n\t"					\
		     ".endif")
#else
#define MARKER_BOUNDS_IN_TEXT	0
#define MARKER_KEEP_BOUNDS
#endif
#include "../bounds.h"

#ifdef CONFIG_X86
/*
 * Tells objtool that control may go from @from to @to: it does not see the
 * jump that a patched instruction becomes, and would find the cold block
 * unreachable and give it no unwind data.  The instructions used for gates
 * cannot fault, so the entry is never looked up.  But a function with an entry
 * in the exception table gets no optimised kprobes.
 */
#define MARKER_EDGE(from, to)	_ASM_EXTABLE(from, to)
#else
/* objtool reads no other architecture with gates of code, nor User-Mode Linux. */
#define MARKER_EDGE(from, to)	""
#endif

/*
 * Keeps kprobes off the instruction at @addr, KPROBE_FLAG_DISABLED included, because kprobes keep
 * off the addresses of BUG(). So a kprobe can neither set a breakpoint there nor write back an
 * opcode that it saved before the instruction was patched.
 */
#ifdef CONFIG_GENERIC_BUG_RELATIVE_POINTERS
#define MARKER_BUG_BYTES	sizeof(struct bug_entry)
#define MARKER_KEEP_OFF(addr)						\
	".pushsection __bug_table, \"aw\"\n"				\
	"779: .long " addr " - .\n\t"					\
	".org 779b + %c[bug]\n\t"					\
	".popsection\n\t"
#else
#define MARKER_BUG_BYTES	0
#define MARKER_KEEP_OFF(addr)	""
#endif

/*
 * Like MARKER_KEEP_OFF() with an edge, for a NOP as long as those of static keys: the NOP is made
 * a branch of a key that is never set. The kernel optimises no kprobe over the NOP, but kprobes
 * beside it. On x86 jump_label_text_reserved() decodes the bytes there, and calls BUG() if they
 * are not an instruction of 2 or 5 bytes (text.c).
 */
#if defined(CONFIG_JUMP_LABEL) && defined(CONFIG_HAVE_ARCH_JUMP_LABEL_RELATIVE)
#define MARKER_RESERVE(from, to)					\
	".pushsection __jump_table, \"aw\"\n\t"			\
	".balign 8\n\t"							\
	".long " from " - ., " to " - .\n\t"				\
	".quad %c[never] - .\n\t"					\
	".popsection\n\t"
#else
#define MARKER_RESERVE(from, to)	MARKER_EDGE(from, to) MARKER_KEEP_OFF(from)
#endif

static struct static_key marker_never __maybe_unused;

/* Inputs of an asm, behind other inputs: hence the first comma. */
#define MARKER_RESERVE_OPERANDS						\
	, [never] "i" (&marker_never), [bug] "i" (MARKER_BUG_BYTES)

/* MARK_KEY(): the key, its branch, and an entry that tells where the key is. */
#define MARKER_KEY_KIND			MARKER_GATE_KEY
#define MARKER_KEY_DEFINE(key)		static DEFINE_STATIC_KEY_FALSE(key)
#define marker_gate_key(key, site)	static_branch_unlikely(&(key))
#define MARKER_KEY_RECORD(key, site)	MARKER_GATE_RECORD(&(key), site)

#endif
