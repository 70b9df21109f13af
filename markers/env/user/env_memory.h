/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's errors in pointers, and its allocators, on top of malloc(). */
#ifndef NATIVE_ENV_MEMORY_H
#define NATIVE_ENV_MEMORY_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "env_site.h"

/* linux/err.h */

#define MAX_ERRNO		4095
#define IS_ERR_VALUE(x)		((unsigned long)(x) >= (unsigned long)-MAX_ERRNO)

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline long PTR_ERR(const void *ptr)
{
	return (long)ptr;
}

static inline bool IS_ERR(const void *ptr)
{
	return IS_ERR_VALUE(ptr);
}

static inline bool IS_ERR_OR_NULL(const void *ptr)
{
	return !ptr || IS_ERR(ptr);
}

static inline int PTR_ERR_OR_ZERO(const void *ptr)
{
	return IS_ERR(ptr) ? PTR_ERR(ptr) : 0;
}

/* linux/slab.h, linux/mm.h */

typedef unsigned int gfp_t;
#define GFP_KERNEL		0u

#define kmalloc(size, flags)		((void)(flags), malloc(size))
#define kzalloc(size, flags)		((void)(flags), calloc(1, size))
#define kcalloc(n, size, flags)		((void)(flags), calloc(n, size))
#define kmalloc_array(n, size, flags)	((void)(flags), reallocarray(NULL, n, size))
#define kvmalloc			kmalloc
#define kvzalloc			kzalloc
#define kvcalloc			kcalloc
#define kvmalloc_array			kmalloc_array
#define kfree(p)			free((void *)(p))
#define kvfree				kfree

static inline void *kmemdup(const void *from, size_t len, gfp_t flags)
{
	void *copy = kmalloc(len, flags);

	return copy ? memcpy(copy, from, len) : NULL;
}

static inline char *kstrdup(const char *s, gfp_t flags)
{
	return s ? kmemdup(s, strlen(s) + 1, flags) : NULL;
}

static inline char *marker_text_copy(const char *text)
{
	return kstrdup(text, GFP_KERNEL);
}

static inline __printf(2, 3) char *kasprintf(gfp_t flags, const char *fmt, ...)
{
	char *s;
	va_list args;
	int len;

	(void)flags;
	va_start(args, fmt);
	len = vasprintf(&s, fmt, args);
	va_end(args);
	return len < 0 ? NULL : s;
}

/* linux/uaccess.h; -EFAULT where nothing is mapped */

long copy_from_kernel_nofault(void *to, const void *from, size_t size);
long native_write_nofault(void *to, const void *from, size_t size);

#define pagefault_disable()	do { } while (0)
#define pagefault_enable()	do { } while (0)

#define __get_kernel_nofault(to, from, type, label)			\
do {									\
	if (copy_from_kernel_nofault(to, from, sizeof(type)))		\
		goto label;						\
} while (0)

#define __put_kernel_nofault(to, from, type, label)			\
do {									\
	if (native_write_nofault(to, from, sizeof(type)))		\
		goto label;						\
} while (0)

#endif
