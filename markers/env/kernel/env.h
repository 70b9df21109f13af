/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel headers and helpers that the shared files need.  The native build has a file of the
 * same name (markers/env/user/env.h), which offers the same names on top of libc; the order of
 * -I chooses.
 */
#ifndef MARKERS_ENV_H
#define MARKERS_ENV_H

#include <linux/bsearch.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/spinlock.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* A copy of a text of any length, for kvfree(); NULL: no memory.  May sleep. */
static inline char *marker_text_copy(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = kvmalloc(size, GFP_KERNEL);

	return copy ? memcpy(copy, text, size) : NULL;
}

/* Thread and process of the running task, in the initial PID namespace. */
static __always_inline unsigned long marker_task_tid(void)
{
	return current->pid;
}

static __always_inline unsigned long marker_task_pid(void)
{
	return current->tgid;
}

/* The name of the function that @code is in, maybe with " [module]" behind it. */
static inline void marker_function_name(const void *code, char *name, size_t size)
{
	snprintf(name, size, "%ps", code);
}

#endif
