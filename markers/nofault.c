// SPDX-License-Identifier: GPL-2.0-only
/* Reads memory at addresses that may be invalid. */
#include "nofault.h"

#define ONES	0x0101010101010101ul
#define TOPS	0x8080808080808080ul

/* Return the number of bytes before the first NUL in a word; sizeof(word): it has no NUL. */
static __always_inline unsigned int bytes_before_nul(unsigned long word)
{
	unsigned long nul = (word - ONES) & ~word & TOPS;

	BUILD_BUG_ON(__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__);
	return nul ? (unsigned int)__builtin_ctzl(nul) / 8 : sizeof(word);
}

/*
 * Copy a string by aligned words.  An aligned word is in one page, so the page behind the one with
 * the NUL need not be there.  Return the length, or -EFAULT if the first byte cannot be read.
 */
static int notrace copy_string(const char *from, char *to, unsigned int room)
{
	unsigned int n = 0, len, most, skip = (unsigned long)from & (sizeof(long) - 1);
	unsigned long word;

	/* This function also checks that the address is one of the kernel. */
	if (copy_from_kernel_nofault(&word, from - skip, sizeof(word)))
		return -EFAULT;
	word >>= 8 * skip;
	pagefault_disable();
	while (n < room) {
		most = min_t(unsigned int, sizeof(word) - skip, room - n);
		len = min(bytes_before_nul(word), most);
		if (likely(room - n >= sizeof(word)))
			memcpy(to + n, &word, sizeof(word));
		else
			memcpy(to + n, &word, len);
		n += len;
		if (len < most)
			break;
		skip = 0;
		__get_kernel_nofault(&word, from + n, unsigned long, fault);
	}
fault:
	pagefault_enable();
	to[n] = '\0';
	return n;
}

unsigned int notrace marker_nofault_string(unsigned long word, char *to, unsigned int size)
{
	int len = -EFAULT;

	if (word >= PAGE_SIZE && !IS_ERR_VALUE(word))
		len = copy_string((const char *)word, to, size - 1);
	return len >= 0 ? len : scnprintf(to, size, word ? "(efault)" : "(null)");
}

unsigned int marker_nofault_strnlen(const char *s, unsigned int size)
{
	unsigned int n = 0, len, most, skip = (unsigned long)s & (sizeof(long) - 1);
	unsigned long word;

	/* As in copy_string(). */
	if (copy_from_kernel_nofault(&word, s - skip, sizeof(word)))
		return size;
	word >>= 8 * skip;
	pagefault_disable();
	while (n < size) {
		most = sizeof(word) - skip;
		len = min(bytes_before_nul(word), most);
		n += len;
		if (len < most)
			break;
		skip = 0;
		__get_kernel_nofault(&word, s + n, unsigned long, fault);
	}
	pagefault_enable();
	return min(n, size);
fault:
	pagefault_enable();
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
