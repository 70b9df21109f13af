/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests of a program for memory and registrations: the n-th is refused, and what is not given
 * back is counted.
 */
#ifndef REQUESTS_H
#define REQUESTS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Number of the request that is refused, counted from 1; 0: none. And how many there were. */
extern unsigned int request_refused, request_number;

/* Allocations and references that are left. */
extern long request_allocated, request_references;

/* True if this request is refused. */
bool request_is_refused(void);

/* Count an allocation, which may be NULL; return it. */
void *request_counted(void *p);

/* Free memory whose return was counted before. */
void __real_free(void *p);

#endif
