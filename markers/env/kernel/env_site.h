/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The light half of env.h: all that instrumented code pulls in through
 * marker.h.  The native build has a file of the same name.
 */
#ifndef MARKERS_ENV_SITE_H
#define MARKERS_ENV_SITE_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/types.h>

#ifdef CONFIG_DEBUG_ATOMIC_SLEEP
/* What non_block_start() counts in. */
#include <linux/sched.h>
#endif

#ifdef CONFIG_X86_64
#include <asm/asm.h>
#endif

#include "bounds.h"

#ifdef CONFIG_X86
/*
 * Tells objtool that control may go from @from to @to: it does not see the
 * jump that a patched instruction becomes, and would find the cold block
 * unreachable and give it no unwind data.  The instructions used for gates
 * cannot fault, so the entry is never looked up.
 */
#define MARKER_EDGE(from, to)	_ASM_EXTABLE(from, to)
#else
/* User-Mode Linux is not read by objtool. */
#define MARKER_EDGE(from, to)	""
#endif

/* MARK_KEY(): the key, its branch, and an entry that tells where the key is. */
#define MARKER_KEY_KIND			MARKER_GATE_KEY
#define MARKER_KEY_DEFINE(key)		static DEFINE_STATIC_KEY_FALSE(key)
#define marker_gate_key(key, site)	static_branch_unlikely(&(key))
#define MARKER_KEY_RECORD(key, site)	MARKER_GATE_RECORD(&(key), site)

#endif
