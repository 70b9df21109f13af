/* SPDX-License-Identifier: GPL-2.0-only */
	.text
	.balign 32
	.globl marker_bench_retpoline
	.type marker_bench_retpoline, @function
/*
 * The return goes to %rax, but the CPU predicts that it goes to the loop, so code executed ahead
 * has no effect.
 */
marker_bench_retpoline:
	call 2f
1:	pause
	lfence
	jmp 1b
	.balign 16
2:	mov %rax, (%rsp)
	ret
	.size marker_bench_retpoline, . - marker_bench_retpoline
	.section .note.GNU-stack, "", @progbits
