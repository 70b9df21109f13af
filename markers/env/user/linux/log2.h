/* SPDX-License-Identifier: GPL-2.0-only */
/* Powers of two, as the kernel names them. */
#ifndef NATIVE_LINUX_LOG2_H
#define NATIVE_LINUX_LOG2_H

/* The least power of two that is @n or more; @n is 2 or more. */
static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return 1ul << (8 * sizeof(n) - __builtin_clzl(n - 1));
}

#endif
