/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the shared files need of their surroundings, in a program: the names
 * of markers/env/kernel/env.h on top of libc.  The order of -I chooses.
 *
 * Only as much as the shared files use, and only as exact as they need it.
 * There is one CPU and no interrupt handler to keep out, so the functions that
 * disable something do nothing here.
 */
#ifndef MARKERS_ENV_H
#define MARKERS_ENV_H

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "env_site.h"
#include "list.h"

#define __init
#define __exit
#define __ro_after_init
#define __user
#define EXPORT_SYMBOL_GPL(symbol)

/* linux/kernel.h and around it */

#define __stringify_1(x...)	#x
#define __stringify(x...)	__stringify_1(x)
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define BIT(n)			(1ul << (n))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define PAGE_SIZE		4096ul
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define PAGE_ALIGN(addr)	(((addr) + PAGE_SIZE - 1) & PAGE_MASK)
#define offset_in_page(p)	((unsigned long)(p) & ~PAGE_MASK)

#define min_t(type, a, b) ({						\
	type __min_a = (a);						\
	type __min_b = (b);						\
	__min_a < __min_b ? __min_a : __min_b; })
#define max_t(type, a, b) ({						\
	type __max_a = (a);						\
	type __max_b = (b);						\
	__max_a > __max_b ? __max_a : __max_b; })
#define min(a, b)		min_t(typeof((a) + 0), a, b)
#define max(a, b)		max_t(typeof((a) + 0), a, b)
#define clamp_t(type, value, low, high)	min_t(type, max_t(type, value, low), high)
#define swap(a, b) do {							\
	typeof(a) __swap = (a); (a) = (b); (b) = __swap; } while (0)

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

/* linux/printk.h, linux/bug.h */

#ifndef pr_fmt
#define pr_fmt(fmt)		fmt
#endif
#define pr_err(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn			pr_err
#define pr_notice		pr_err
#define pr_info			pr_err
#define pr_debug(fmt, ...) do {						\
	if (0)								\
		pr_err(fmt, ##__VA_ARGS__); } while (0)

#define WARN_ON(condition) ({						\
	bool __warn = (condition);					\
	if (__warn)							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
	__warn; })
#define WARN_ON_ONCE		WARN_ON

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

#define ERR_CAST(ptr)		((void *)(ptr))

/* linux/slab.h, linux/mm.h */

typedef unsigned int gfp_t;
#define GFP_KERNEL		0u

#define kmalloc(size, flags)		((void)(flags), malloc(size))
#define kzalloc(size, flags)		((void)(flags), calloc(1, size))
#define kcalloc(n, size, flags)		((void)(flags), calloc(n, size))
#define kmalloc_array(n, size, flags)	((void)(flags), reallocarray(NULL, n, size))
#define krealloc(old, size, flags)	((void)(flags), realloc((void *)(old), size))
#define kvmalloc			kmalloc
#define kvzalloc			kzalloc
#define kvcalloc			kcalloc
#define kvmalloc_array			kmalloc_array
#define kfree(p)			free((void *)(p))
#define kvfree				kfree
#define vmalloc(size)			malloc(size)
#define vzalloc(size)			calloc(1, size)
#define vfree				kfree

static inline void *kmemdup(const void *from, size_t len, gfp_t flags)
{
	void *copy = kmalloc(len, flags);

	return copy ? memcpy(copy, from, len) : NULL;
}

static inline char *kstrdup(const char *s, gfp_t flags)
{
	return s ? kmemdup(s, strlen(s) + 1, flags) : NULL;
}

static inline char *kstrndup(const char *s, size_t max, gfp_t flags)
{
	(void)flags;
	return s ? strndup(s, max) : NULL;
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
	return size ? min_t(int, len, size - 1) : 0;
}

static inline bool glob_match(const char *glob, const char *s)
{
	return !fnmatch(glob, s, 0);
}

/* linux/sort.h; bsearch() is libc's */

static inline void sort(void *base, size_t n, size_t size,
			int (*compare)(const void *, const void *),
			void (*exchange)(void *, void *, int))
{
	(void)exchange;
	qsort(base, n, size, compare);
}

/* linux/mutex.h */

struct mutex {
	pthread_mutex_t mutex;
};

#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define mutex_init(m)		((void)pthread_mutex_init(&(m)->mutex, NULL))
#define mutex_lock(m)		((void)pthread_mutex_lock(&(m)->mutex))
#define mutex_trylock(m)	(!pthread_mutex_trylock(&(m)->mutex))
#define mutex_unlock(m)		((void)pthread_mutex_unlock(&(m)->mutex))
#define lockdep_assert_held(m)	((void)(m))

/* asm/barrier.h, linux/atomic.h */

#define smp_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()			__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value)	__atomic_store_n(p, value, __ATOMIC_RELEASE)
#define xchg(p, value)			__atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	long counter;
} atomic_long_t;

typedef atomic_long_t atomic64_t;

#define ATOMIC_INIT(value)		{ value }
#define atomic_read(v)			READ_ONCE((v)->counter)
#define atomic_set(v, value)		WRITE_ONCE((v)->counter, value)
#define atomic_add(n, v)		((void)__atomic_fetch_add(&(v)->counter, n, __ATOMIC_RELAXED))
#define atomic_inc(v)			atomic_add(1, v)
#define atomic_dec(v)			atomic_add(-1, v)
#define atomic_long_read		atomic_read
#define atomic_long_set			atomic_set
#define atomic_long_add			atomic_add
#define atomic_long_inc			atomic_inc
#define atomic_long_dec			atomic_dec
#define atomic64_read			atomic_read
#define atomic64_set			atomic_set
#define atomic64_add			atomic_add
#define atomic64_inc			atomic_inc

/* linux/module.h */

struct module {
	const char *name;
};

#define THIS_MODULE		((struct module *)NULL)
#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(name)	_Static_assert(1, "a declaration")
#define MODULE_PARM_DESC(name, text)
#define module_param(name, type, mode)

/* What a module does when it is loaded is done before main(), and no more. */
#define module_init(init)						\
static __attribute__((constructor)) void env_module_init(void)		\
{									\
	if (init())							\
		abort();						\
}
#define module_exit(exit)						\
static __maybe_unused void (*const env_module_exit)(void) = exit;

static inline bool within_module_init(unsigned long addr, const struct module *module)
{
	(void)addr;
	(void)module;
	return false;
}

static inline bool try_module_get(struct module *module)
{
	(void)module;
	return true;
}

static inline void module_put(struct module *module)
{
	(void)module;
}

/* linux/ktime.h, linux/sched.h, linux/irqflags.h, linux/preempt.h */

static inline u64 ktime_get_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

#define cond_resched()		((void)0)
#define local_irq_save(flags)	((void)((flags) = 0))
#define local_irq_restore(flags)	((void)(flags))
#define preempt_disable()	barrier()
#define preempt_enable()	barrier()
#define preempt_disable_notrace	preempt_disable
#define preempt_enable_notrace	preempt_enable
#define migrate_disable()	((void)0)
#define migrate_enable()	((void)0)
#define might_sleep()		((void)0)

#endif
