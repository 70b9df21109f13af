/* SPDX-License-Identifier: GPL-2.0-only */
/* All that instrumented code pulls in through <linux/marker.h>. */
#ifndef MARKERS_ENV_SITE_H
#define MARKERS_ENV_SITE_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/types.h>

#ifdef CONFIG_X86_64
#include <asm/asm.h>
#endif

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
#define MARKER_EDGE(from, to)	""
#endif

/* Kprobes ask marker_text_reserved(). */
#define MARKER_KEEP_OFF(addr)	""

/*
 * The edge for a NOP of 2 or 5 bytes: it is made a branch of a static key that
 * is never set, and kprobes beside it are optimised.  jump_label_text_reserved()
 * decodes what stands there, and BUG()s when that is not an instruction of 2 or 5
 * bytes (text.c).
 */
#if defined(CONFIG_X86) && defined(CONFIG_JUMP_LABEL)
#define MARKER_RESERVE(from, to)					\
	".pushsection __jump_table, \"aw\"\n\t"			\
	".balign 8\n\t"							\
	".long " from " - ., " to " - .\n\t"				\
	".quad %c[never] - .\n\t"					\
	".popsection\n\t"
#else
#define MARKER_RESERVE(from, to)	MARKER_EDGE(from, to)
#endif

static struct static_key marker_never __maybe_unused;

/* They follow others in the list of the inputs of an asm. */
#define MARKER_RESERVE_OPERANDS						\
	, [never] "i" (&marker_never)

/* The kernel's linker script bounds the tables, and the module loader knows. */
#define MARKER_NEED_BOUNDS	enum { __marker_is_bounded }

/* Kernel and modules are compiled with the same headers, as modversions checks. */
#define MARKER_DEFINE_ABI	struct marker_abi

/* MARK_KEY(): the key, its branch, and an entry that tells where the key is. */
#define MARKER_KEY_KIND			MARKER_GATE_KEY
#define MARKER_KEY_DEFINE(key)		static DEFINE_STATIC_KEY_FALSE(key)
#define marker_gate_key(key, site)	static_branch_unlikely(&(key))
#define MARKER_KEY_RECORD(key, site)	MARKER_GATE_RECORD(&(key), site)

#endif
