/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The light half of env.h, in a program: all that instrumented code pulls in
 * through marker.h.  The kernel's is markers/env/kernel/env_site.h.
 */
#ifndef MARKERS_ENV_SITE_H
#define MARKERS_ENV_SITE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The symbols of a program stay. */
#define MARKER_KEEP_BOUNDS
#include "../bounds.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define U64_MAX		((u64)~0ull)
#define S64_MAX		((s64)(U64_MAX >> 1))
#define S64_MIN		((s64)(-S64_MAX - 1))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* Only an access that the compiler calls atomic is no race to the thread sanitizer. */
#ifdef MARKERS_TSAN
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)
#else
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile typeof(x) *)&(x) = (value))
#endif
#define data_race(x)		READ_ONCE(x)

#define noinline		__attribute__((noinline))
#define notrace			__attribute__((no_instrument_function))
#define __aligned(n)		__attribute__((aligned(n)))
#define __cold			__attribute__((cold))
#define __maybe_unused		__attribute__((unused))
#define __must_check		__attribute__((warn_unused_result))
#define __noreturn		__attribute__((noreturn))
#define __packed		__attribute__((packed))
#define __printf(fmt, first)	__attribute__((format(printf, fmt, first)))
#define __section(name)		__attribute__((section(name)))
#define __used			__attribute__((used))
#define fallthrough		__attribute__((fallthrough))
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))

/* linux/kernel.h: nothing sleeps here that would be reported. */
#define non_block_start()	((void)0)
#define non_block_end()		((void)0)

#define BUILD_BUG_ON(x)		static_assert(!(x), "BUILD_BUG_ON: " #x)

/* linux/compiler.h: hides the value of a variable from the optimiser. */
#define OPTIMIZER_HIDE_VAR(var)	asm("" : "+r" (var))

static __always_inline void barrier(void)
{
	asm volatile("" : : : "memory");
}

/* asm/barrier.h */
#define smp_rmb()			__atomic_thread_fence(__ATOMIC_ACQUIRE)

#include <env_arch.h>

/* No objtool and no kprobes here that would ask for them. */
#define MARKER_EDGE(from, to)		""
#define MARKER_KEEP_OFF(addr)		""
#define MARKER_RESERVE(from, to)	""
#define MARKER_RESERVE_OPERANDS

/*
 * A program has no static key. MARK_KEY() measures the NOP of one, so here such a site is that of
 * MARK_NOP5(), whose gate our own patcher opens. (A kernel's static key is a NOP of 2 bytes if the
 * cold block is near enough, so there the figure may be that of nop2.)
 */
#define MARKER_KEY_KIND			MARKER_GATE_NOP5
#define MARKER_KEY_DEFINE(key)
#define marker_gate_key(key, site)	marker_gate_nop5(site)
#define MARKER_KEY_RECORD(key, site)

#endif
