// SPDX-License-Identifier: GPL-2.0-only
/* Reads what addresses lead to that are not trusted. */
#include "nofault.h"

/*
 * Aligned words, which are in one page each, so that nothing of the page behind
 * the NUL is needed.  -EFAULT when not even the first can be read.
 */
static int notrace copy_string(const char *from, char *to, unsigned int size)
{
	unsigned int n = 0, len, chunk;

	while (n < size - 1) {
		chunk = sizeof(long) - ((unsigned long)(from + n) & (sizeof(long) - 1));
		chunk = min(chunk, size - 1 - n);
		if (copy_from_kernel_nofault(to + n, from + n, chunk)) {
			if (!n)
				return -EFAULT;
			break;
		}
		len = strnlen(to + n, chunk);
		n += len;
		if (len < chunk)
			break;
	}
	to[n] = '\0';
	return n;
}

unsigned int notrace marker_nofault_string(unsigned long word, char *to, unsigned int size)
{
	int len = -EFAULT;

	if (word >= PAGE_SIZE && !IS_ERR_VALUE(word))
		len = copy_string((const char *)word, to, size);
	return len >= 0 ? len : scnprintf(to, size, word ? "(efault)" : "(null)");
}

unsigned int marker_nofault_strnlen(const char *s, unsigned int size)
{
	char chunk[sizeof(long)];
	unsigned int n, len, bytes;

	for (n = 0; n < size; n += bytes) {
		bytes = sizeof(chunk) - ((unsigned long)(s + n) & (sizeof(chunk) - 1));
		bytes = min(bytes, size - n);
		if (copy_from_kernel_nofault(chunk, s + n, bytes))
			return size;
		len = strnlen(chunk, bytes);
		if (len < bytes)
			return n + len;
	}
	return size;
}

bool marker_nofault_is_writable(unsigned long *at)
{
	unsigned long word = READ_ONCE(*at);

	__put_kernel_nofault(at, &word, unsigned long, fault);
	return true;
fault:
	return false;
}
