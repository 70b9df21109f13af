/* SPDX-License-Identifier: GPL-2.0-only */
	.text
	.balign 32
	.globl bench_retpoline
	.type bench_retpoline, @function
/*
 * The return goes to %rax, but is predicted to go to the loop, where what is
 * executed ahead comes to nothing.
 */
bench_retpoline:
	call 2f
1:	pause
	lfence
	jmp 1b
	.balign 16
2:	mov %rax, (%rsp)
	ret
	.size bench_retpoline, . - bench_retpoline
	.section .note.GNU-stack, "", @progbits
