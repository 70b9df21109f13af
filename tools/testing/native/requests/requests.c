// SPDX-License-Identifier: GPL-2.0-only
/* Allocations of a program, which are counted and can be refused; linked with --wrap. */
#include <stdio.h>
#include <stdlib.h>
#include "requests.h"

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

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
int __real_vasprintf(char **s, const char *fmt, va_list args);
int __wrap_vasprintf(char **s, const char *fmt, va_list args);
void __wrap_free(void *p);

void *__wrap_malloc(size_t size)
{
	return request_is_refused() ? NULL : request_counted(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return request_is_refused() ? NULL : request_counted(__real_calloc(n, size));
}

/* Only as kmalloc_array() has it. */
void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return p ? NULL : __wrap_calloc(n, size);
}

int __wrap_vasprintf(char **s, const char *fmt, va_list args)
{
	int len = request_is_refused() ? -1 : __real_vasprintf(s, fmt, args);

	request_allocated += len >= 0;
	return len;
}

void __wrap_free(void *p)
{
	request_allocated -= !!p;
	__real_free(p);
}

