/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's functions for strings that libc lacks or names differently. */
#ifndef NATIVE_ENV_STRING_H
#define NATIVE_ENV_STRING_H

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include "env_site.h"

/* linux/string.h, linux/glob.h */

#define strscpy(to, from, size)	env_strscpy(to, from, size)

static inline ssize_t env_strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size);

	if (!size)
		return -E2BIG;
	if (len == size) {
		memcpy(to, from, size - 1);
		to[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(to, from, len + 1);
	return len;
}

static inline char *skip_spaces(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return (char *)s;
}

static inline char *strim(char *s)
{
	size_t len = strlen(s);

	while (len && isspace((unsigned char)s[len - 1]))
		s[--len] = '\0';
	return skip_spaces(s);
}

static inline int kstrtoul(const char *s, unsigned int base, unsigned long *result)
{
	char *end;

	errno = 0;
	*result = strtoul(s, &end, base);
	if (!isalnum((unsigned char)*s) || (*end && strcmp(end, "\n")))
		return -EINVAL;
	return -errno;
}

static_assert(sizeof(unsigned long) == sizeof(u64), "64 bits");
#define kstrtou64(s, base, result)	kstrtoul(s, base, (unsigned long *)(result))

static inline int kstrtouint(const char *s, unsigned int base, unsigned int *result)
{
	unsigned long value;
	int ret = kstrtoul(s, base, &value);

	if (!ret && value > UINT_MAX)
		ret = -ERANGE;
	if (!ret)
		*result = value;
	return ret;
}

#define kstrtou32	kstrtouint

static inline __printf(3, 4) int scnprintf(char *to, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(to, size, fmt, args);
	va_end(args);
	return (size_t)len < size ? len : (int)size - 1;
}

static inline bool glob_match(const char *glob, const char *s)
{
	return !fnmatch(glob, s, 0);
}

/*
 * Get the name of the function of this program that contains @code; "" if no symbol has it. In
 * function.c.
 */
void marker_function_name(const void *code, char *name, size_t size);

#endif
