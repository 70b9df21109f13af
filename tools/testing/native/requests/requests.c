// SPDX-License-Identifier: GPL-2.0-only
/* Allocations of a program, which are counted and can be refused; linked with --wrap. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "requests.h"

/* Behind each allocation: bytes with this value, then the size, with other bits than it has. */
#define PADDING		0x5a
#define OTHER_BITS	0x83a5c7e1ffffffff

unsigned int request_refused, request_number;
long request_allocated, request_references;

bool request_is_refused(void)
{
	return ++request_number == request_refused;
}

void *request_counted(void *p)
{
	request_allocated += !!p;
	return p;
}

static void *pad(unsigned char *p, size_t size)
{
	uint64_t tag = size ^ OTHER_BITS;
	size_t end;

	if (!p)
		return NULL;
	end = malloc_usable_size(p) - sizeof(tag);
	memset(p + size, PADDING, end - size);
	memcpy(p + end, &tag, sizeof(tag));
	return request_counted(p);
}

/* Abort if something was written behind the end of an allocation; libc's own have no size. */
static void check_padding(unsigned char *p)
{
	uint64_t tag;
	size_t end = malloc_usable_size(p) - sizeof(tag);

	memcpy(&tag, p + end, sizeof(tag));
	memset(p + end, 0, sizeof(tag));
	tag ^= OTHER_BITS;
	if (tag >> 32)
		return;
	while (tag < end && p[tag] == PADDING)
		tag++;
	if (tag != end)
		abort();
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
int __wrap_vasprintf(char **s, const char *fmt, va_list args);
void __wrap_free(void *p);

void *__wrap_malloc(size_t size)
{
	return request_is_refused() ? NULL : pad(__real_malloc(size + sizeof(uint64_t)), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	size *= n;
	return request_is_refused() ? NULL : pad(__real_calloc(1, size + sizeof(uint64_t)), size);
}

/* Only as kmalloc_array() has it. */
void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return p ? NULL : __wrap_calloc(n, size);
}

int __wrap_vasprintf(char **s, const char *fmt, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	*s = __wrap_malloc(len + 1);
	return *s ? vsnprintf(*s, len + 1, fmt, args) : -1;
}

void __wrap_free(void *p)
{
	if (!p)
		return;
	check_padding(p);
	request_allocated--;
	__real_free(p);
}

