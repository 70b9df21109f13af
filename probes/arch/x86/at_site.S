/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The triggers of ftrace, called as if the site called them.  A trigger that takes a stack leaves
 * out a fixed number of frames, for an event whose function was called by the site.  Between a
 * site and that function there may be more (conditions, several probes).  So these functions
 * have registers on their stack, and say to the unwinder that they were called where the
 * registers point: at the site.
 */
#include <linux/linkage.h>
#include <asm/ptrace-abi.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

/* The last argument, @regs, is a struct marker_site_regs. */
.macro CALL_FROM_SITE function:req regs:req
	subq	$(SS + 8), %rsp
	movq	0(\regs), %rax
	movq	%rax, RIP(%rsp)
	movq	8(\regs), %rax
	movq	%rax, RSP(%rsp)
	movq	16(\regs), %rax
	movq	%rax, RBP(%rsp)
	UNWIND_HINT_SAVE
	movq	$__KERNEL_CS, CS(%rsp)
	UNWIND_HINT_REGS
	call	\function
	UNWIND_HINT_RESTORE
	addq	$(SS + 8), %rsp
	RET
.endm

.macro CALL_FROM_HERE function:req
	subq	$8, %rsp
	call	\function
	addq	$8, %rsp
	RET
.endm

/* Histograms leave out three frames between a trigger and the site. */
SYM_FUNC_START_LOCAL(marker_site_third_frame)
	CALL_FROM_HERE event_triggers_call
SYM_FUNC_END(marker_site_third_frame)

SYM_FUNC_START_LOCAL(marker_site_second_frame)
	CALL_FROM_HERE marker_site_third_frame
SYM_FUNC_END(marker_site_second_frame)

SYM_FUNC_START(marker_site_triggers_call)
	CALL_FROM_SITE marker_site_second_frame, %r8
SYM_FUNC_END(marker_site_triggers_call)

/* The trigger stacktrace leaves out none: this function is in it, as TRACE_EVENT()'s is there. */
SYM_FUNC_START(marker_site_triggers_post_call)
	CALL_FROM_SITE event_triggers_post_call, %rdx
SYM_FUNC_END(marker_site_triggers_post_call)

	.section .note.GNU-stack, "", @progbits
