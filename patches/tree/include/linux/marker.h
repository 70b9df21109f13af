/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MARK(): one line that instruments a place in the code.  The only header
 * that instrumented code includes; see Documentation/trace/markers.rst.
 */
#ifndef _LINUX_MARKER_H
#define _LINUX_MARKER_H

#ifdef CONFIG_MARKERS

#include <linux/markers/marker.h>

/*
 * Whether there is code of a site in [@start, @end], which no one else may
 * patch.  Context: any; the caller keeps the module of @start from going.
 */
bool marker_text_reserved(const void *start, const void *end);

/* The kernel's init text is about to be freed.  May sleep. */
void marker_free_init_mem(void);

#else /* CONFIG_MARKERS */

#include <linux/compiler.h>
#include <linux/markers/marker_fields.h>

/* Never called: for the compiler's opinion of format and arguments. */
static inline __printf(1, 2) void marker_check_format(const char *fmt, ...)
{
}

static inline void marker_check_fields(const char *name, ...)
{
}

#define MARK(name, fmt, ...)						\
do {									\
	if (0)								\
		marker_check_format(fmt, ##__VA_ARGS__);		\
} while (0)

#define MARK_GENERIC(name, fmt, ...)	MARK(name, fmt, ##__VA_ARGS__)

#define MARK_FIELDS(name, ...)						\
do {									\
	MARKER_FIELDS_ASSERT(_, ##__VA_ARGS__)				\
	if (0)								\
		marker_check_fields(#name MARKER_FIELDS_ARGS(_, ##__VA_ARGS__)); \
} while (0)

#define MARK_BEHIND(set, name, fmt, ...)				\
do {									\
	if (0)								\
		(set)(true);						\
	MARK(name, fmt, ##__VA_ARGS__);					\
} while (0)

static inline bool marker_text_reserved(const void *start, const void *end)
{
	return false;
}

static inline void marker_free_init_mem(void)
{
}

#endif /* CONFIG_MARKERS */

/* That of sys_enter and sys_exit, where there is CONFIG_HAVE_SYSCALL_MARKERS. */
void marker_syscalls_switch(bool open);

#endif
