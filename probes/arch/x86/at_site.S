/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_event_buffer_commit() as if the site called it.  Triggers take a stack there, and leave
 * out a fixed number of frames, for an event whose function was called by the site.  Between a
 * site and that function there may be more (conditions, several probes).  So this has registers
 * on its stack, and says to the unwinder that it was called where they point: at the site.
 */
#include <linux/linkage.h>
#include <asm/ptrace-abi.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

/* One frame more: histograms by stack leave out one too many, which is that of the site. */
SYM_FUNC_START(marker_site_commit_inner)
	subq	$8, %rsp
	call	trace_event_buffer_commit
	addq	$8, %rsp
	RET
SYM_FUNC_END(marker_site_commit_inner)

/* void marker_site_commit(struct trace_event_buffer *, const struct marker_site_regs *) */
SYM_FUNC_START(marker_site_commit)
	subq	$(SS + 8), %rsp
	movq	0(%rsi), %rax
	movq	%rax, RIP(%rsp)
	movq	8(%rsi), %rax
	movq	%rax, RSP(%rsp)
	movq	16(%rsi), %rax
	movq	%rax, RBP(%rsp)
	UNWIND_HINT_SAVE
	movq	$__KERNEL_CS, CS(%rsp)
	UNWIND_HINT_REGS
	call	marker_site_commit_inner
	UNWIND_HINT_RESTORE
	addq	$(SS + 8), %rsp
	RET
SYM_FUNC_END(marker_site_commit)

	.section .note.GNU-stack, "", @progbits
