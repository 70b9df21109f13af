// SPDX-License-Identifier: GPL-2.0-only
/* The program that exec executes: it exits, and is one page, so that few pages are mapped. */
#include <sys/syscall.h>

void _start(void)
{
#ifdef __x86_64__
	asm volatile("syscall" :: "a" (SYS_exit_group), "D" (0));
#else
	register long number asm("x8") = SYS_exit_group, status asm("x0") = 0;

	asm volatile("svc #0" :: "r" (number), "r" (status));
#endif
	__builtin_unreachable();
}
