// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes memory that need not be there: the kernel finds out. */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>
#include "env_memory.h"

/*
 * Copy through a pipe, for qemu-user, which lacks the calls below: a pipe returns EFAULT for bad
 * addresses.
 */
static long copy_by_pipe(void *to, const void *from, size_t size)
{
	long ret = -EFAULT;
	int ends[2];

	if (pipe(ends))
		return -errno;
	if (write(ends[1], from, size) == (ssize_t)size && read(ends[0], to, size) == (ssize_t)size)
		ret = 0;
	close(ends[0]);
	close(ends[1]);
	return ret;
}

/* The program itself can be read at any time: no call into the kernel for each word of a site. */
static bool is_own(const void *from, size_t size)
{
	extern const char __executable_start[], _end[];
	uintptr_t start = (uintptr_t)__executable_start, at = (uintptr_t)from;

	return at >= start && at < (uintptr_t)_end && size <= (uintptr_t)_end - at;
}

/* Copy as the kernel does, unseen by sanitizers: a whole word may begin or end beyond its text. */
static __attribute__((no_sanitize("address", "thread")))
void copy_own(char *to, const char *from, size_t size)
{
	for (; size; size--, to++, from++)
		*to = READ_ONCE(*from);
}

long copy_from_kernel_nofault(void *to, const void *from, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)from, size };

	if (is_own(from, size)) {
		copy_own(to, from, size);
		return 0;
	}
	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size)
		return 0;
	return errno == ENOSYS ? copy_by_pipe(to, from, size) : -EFAULT;
}

long native_write_nofault(void *to, const void *from, size_t size)
{
	struct iovec local = { (void *)from, size }, remote = { to, size };

	if (process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size)
		return 0;
	return errno == ENOSYS ? copy_by_pipe(to, from, size) : -EFAULT;
}
