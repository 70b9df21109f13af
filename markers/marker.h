/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MARK(): one line that instruments a place in the code.  The only header
 * that instrumented code includes.
 *
 *	MARK(subsys_event, "%d %p", count, ptr);
 *
 * The name is an identifier and becomes the name of the marker; several sites
 * may share it.  The format is that of printk() and is checked by the compiler
 * against the arguments, of which there may be eight: integers up to 64 bits,
 * pointers and strings.  While no probe is connected the arguments are not
 * evaluated.
 *
 * MARK(name, fmt, a, b) becomes
 *
 *	static struct marker_site site = { name, fmt, file, line, types };
 *
 *	if (marker_gate_auto(&site))			// e.g. a 5-byte NOP
 *		call probe(site.link, &site, a, b);	// out of line
 *
 * MARK() takes the best gate for the machine, chosen when the module is seen
 * by markers.ko.  The other macros fix the kind of gate; they exist to be
 * compared, except MARK_GENERIC(), which patches no code and so also works in
 * code that must not be patched: early boot, the patcher itself, and __init
 * functions of a module whose init has begun.
 *
 * Context: any, including NMI, as far as the connected probes allow it.
 */
#ifndef MARKERS_MARKER_H
#define MARKERS_MARKER_H

#include "env_site.h"
#include "site.h"

#define MARK(name, fmt, ...)		MARKER(auto, AUTO, name, fmt, ##__VA_ARGS__)
#define MARK_IMM(name, fmt, ...)	MARKER(imm, IMM, name, fmt, ##__VA_ARGS__)
#define MARK_NOP5(name, fmt, ...)	MARKER(nop5, NOP5, name, fmt, ##__VA_ARGS__)
#define MARK_FLIP(name, fmt, ...)	MARKER(flip, FLIP, name, fmt, ##__VA_ARGS__)
#define MARK_PUN(name, fmt, ...)	MARKER(pun, PUN, name, fmt, ##__VA_ARGS__)
#define MARK_NOP2(name, fmt, ...)	MARKER(nop2, NOP2, name, fmt, ##__VA_ARGS__)
#define MARK_NOP14(name, fmt, ...)	MARKER(nop14, NOP14, name, fmt, ##__VA_ARGS__)
#define MARK_NOP23(name, fmt, ...)	MARKER(nop23, NOP23, name, fmt, ##__VA_ARGS__)
#define MARK_JCC(name, fmt, ...)	MARKER(jcc, JCC, name, fmt, ##__VA_ARGS__)
#define MARK_JCC8(name, fmt, ...)	MARKER(jcc8, JCC8, name, fmt, ##__VA_ARGS__)
#define MARK_FLIP8(name, fmt, ...)	MARKER(flip8, FLIP8, name, fmt, ##__VA_ARGS__)

#define MARKER(gate, KIND, name, fmt, ...)				\
do {									\
	MARKER_SITE(MARKER_KIND(KIND), name, fmt, ##__VA_ARGS__);			\
	if (marker_gate_##gate(&__marker_site))				\
		marker_call(&__marker_site, ##__VA_ARGS__);		\
} while (0)

#define MARK_GENERIC(name, fmt, ...)					\
do {									\
	MARKER_SITE(MARKER_GATE_GENERIC, name, fmt, ##__VA_ARGS__);	\
	if (unlikely(marker_gate_generic(&__marker_site)))		\
		marker_call_pointer(&__marker_site, ##__VA_ARGS__);	\
} while (0)

/* The kernel's static key as the gate: the peer. */
#define MARK_KEY(name, fmt, ...)					\
do {									\
	MARKER_SITE(MARKER_KEY_KIND, name, fmt, ##__VA_ARGS__);		\
	MARKER_KEY_DEFINE(__marker_key);				\
	if (marker_gate_key(__marker_key, &__marker_site)) {		\
		MARKER_KEY_RECORD(__marker_key, &__marker_site);	\
		marker_call(&__marker_site, ##__VA_ARGS__);		\
	}								\
} while (0)

/* The arguments are always set up, and the call is what is patched. */
#define MARK_CALL(name, fmt, ...)					\
do {									\
	MARKER_SITE(MARKER_KIND(CALL), name, fmt, ##__VA_ARGS__);			\
	marker_call_nop(&__marker_site, ##__VA_ARGS__);			\
} while (0)

/*
 * No instruction at all: where the arguments are is written down, and a kprobe
 * is set when it is connected.  The arguments are evaluated always, so plain
 * variables, members and constants are what to pass.  Documentation/
 * add-a-marker.md says where such a site must not stand.
 */
#define MARK_GHOST(name, fmt, ...)					\
do {									\
	MARKER_SITE(MARKER_KIND(GHOST), name, fmt, ##__VA_ARGS__);	\
	marker_ghost(&__marker_site, ##__VA_ARGS__);			\
} while (0)

#define MARKER_SITE(_kind, _name, fmt, ...)				\
	static struct marker_site __marker_site				\
		__section(".discard_markers") __used __aligned(8) = {	\
		.name = #_name,						\
		.format = fmt,						\
		.file = __FILE__,					\
		.types = MARKER_TYPES(__VA_ARGS__),			\
		.line = __LINE__,					\
		.kind = _kind,						\
	};								\
	MARKER_NEED_BOUNDS;						\
	enum { __marker_is_##_name };	/* the name is an identifier */	\
	if (0)								\
		marker_check_format(fmt, ##__VA_ARGS__)

/* Never called: for the compiler's opinion of format and arguments. */
static inline __printf(1, 2) void marker_check_format(const char *fmt, ...)
{
}

/* Where the call of a site leads while no probe is connected. */
static noinline notrace __maybe_unused void marker_unconnected(void)
{
	barrier();
}

#define MARKER_CONCAT_(a, b)	a##b
#define MARKER_CONCAT(a, b)	MARKER_CONCAT_(a, b)
#define MARKER_COUNT(...)						\
	MARKER_COUNT_(_, ##__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MARKER_COUNT_(_, a, b, c, d, e, f, g, h, n, ...)	n

/* An argument as a machine word, extended as its own type says. */
#define MARKER_WORD(x)		((unsigned long)(x))

#define marker_call_pointer(site, ...)					\
do {									\
	const struct probe_link *__link = READ_ONCE((site)->link);	\
									\
	__link->func(__link, site MARKER_CONCAT(MARKER_WORDS_,		\
			MARKER_COUNT(__VA_ARGS__))(__VA_ARGS__));	\
} while (0)

#define MARKER_WORDS_0()
#define MARKER_WORDS_1(a)	, MARKER_WORD(a)
#define MARKER_WORDS_2(a, ...)	, MARKER_WORD(a) MARKER_WORDS_1(__VA_ARGS__)
#define MARKER_WORDS_3(a, ...)	, MARKER_WORD(a) MARKER_WORDS_2(__VA_ARGS__)
#define MARKER_WORDS_4(a, ...)	, MARKER_WORD(a) MARKER_WORDS_3(__VA_ARGS__)
#define MARKER_WORDS_5(a, ...)	, MARKER_WORD(a) MARKER_WORDS_4(__VA_ARGS__)
#define MARKER_WORDS_6(a, ...)	, MARKER_WORD(a) MARKER_WORDS_5(__VA_ARGS__)
#define MARKER_WORDS_7(a, ...)	, MARKER_WORD(a) MARKER_WORDS_6(__VA_ARGS__)
#define MARKER_WORDS_8(a, ...)	, MARKER_WORD(a) MARKER_WORDS_7(__VA_ARGS__)

/* No entry for floating point: such an argument does not compile. */
#define MARKER_TYPE(x) _Generic((x),					\
	bool: MARKER_TYPE_U8,						\
	char: MARKER_TYPE_S8, signed char: MARKER_TYPE_S8,		\
	unsigned char: MARKER_TYPE_U8,					\
	short: MARKER_TYPE_S16, unsigned short: MARKER_TYPE_U16,	\
	int: MARKER_TYPE_S32, unsigned int: MARKER_TYPE_U32,		\
	long: MARKER_TYPE_S64, unsigned long: MARKER_TYPE_U64,		\
	long long: MARKER_TYPE_S64, unsigned long long: MARKER_TYPE_U64, \
	char *: MARKER_TYPE_STR, const char *: MARKER_TYPE_STR,		\
	float: (void)0, double: (void)0, long double: (void)0,		\
	default: MARKER_TYPE_PTR)

#define MARKER_TYPES(...)						\
	MARKER_CONCAT(MARKER_TYPES_, MARKER_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define MARKER_TYPES_0()	0
#define MARKER_TYPES_1(a)	((u32)MARKER_TYPE(a))
#define MARKER_TYPES_2(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_1(__VA_ARGS__) << 4)
#define MARKER_TYPES_3(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_2(__VA_ARGS__) << 4)
#define MARKER_TYPES_4(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_3(__VA_ARGS__) << 4)
#define MARKER_TYPES_5(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_4(__VA_ARGS__) << 4)
#define MARKER_TYPES_6(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_5(__VA_ARGS__) << 4)
#define MARKER_TYPES_7(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_6(__VA_ARGS__) << 4)
#define MARKER_TYPES_8(a, ...)	(MARKER_TYPE(a) | MARKER_TYPES_7(__VA_ARGS__) << 4)

#include "gates.h"

#endif
