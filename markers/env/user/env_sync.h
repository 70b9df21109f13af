/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's mutexes, barriers and atomics, by pthread and the compiler. */
#ifndef NATIVE_ENV_SYNC_H
#define NATIVE_ENV_SYNC_H

#include <pthread.h>
#include "env_site.h"

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

/* linux/spinlock.h */

#define DEFINE_SPINLOCK(name)	DEFINE_MUTEX(name)
#define spin_lock(l)		mutex_lock(l)
#define spin_unlock(l)		mutex_unlock(l)

/* asm/barrier.h, linux/atomic.h */

#define smp_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value)	__atomic_store_n(p, value, __ATOMIC_RELEASE)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	long counter;
} atomic_long_t;

#define ATOMIC_INIT(value)		{ value }
#define atomic_read(v)			READ_ONCE((v)->counter)
#define atomic_set(v, value)		WRITE_ONCE((v)->counter, value)
#define atomic_add(n, v)						\
	((void)__atomic_fetch_add(&(v)->counter, n, __ATOMIC_RELAXED))
#define atomic_inc(v)			atomic_add(1, v)
#define atomic_dec(v)			atomic_add(-1, v)
#define atomic_long_read		atomic_read
#define atomic_long_set			atomic_set
#define atomic_long_add			atomic_add
#define atomic_long_inc			atomic_inc
#define atomic_long_dec			atomic_dec
#define atomic_long_read_acquire(v)	smp_load_acquire(&(v)->counter)
#define atomic_long_inc_return(v)					\
	__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST)

#define cmpxchg(p, old, new)	__sync_val_compare_and_swap(p, old, new)

static inline long atomic_long_cmpxchg(atomic_long_t *v, long old, long new)
{
	__atomic_compare_exchange_n(&v->counter, &old, new, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	return old;
}

#endif
