// SPDX-License-Identifier: GPL-2.0-only
/*
 * The thread sanitizer keeps no record of the program's text, which it takes for constant, and
 * ends where its mmap() is to replace that (text.c).  So it does not see that: every mmap() of
 * this program's own objects comes here.
 */
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__wrap_mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, addr, size, prot, flags, fd, offset);
}
