/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arguments of a MARK(): how many there are, each as a machine word, and
 * their types as in struct marker_site.
 */
#ifndef MARKERS_MARKER_ARGS_H
#define MARKERS_MARKER_ARGS_H

#include "site.h"

#define MARKER_CONCAT_(a, b)	a##b
#define MARKER_CONCAT(a, b)	MARKER_CONCAT_(a, b)
#define MARKER_COUNT(...)						\
	MARKER_COUNT_(_, ##__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MARKER_COUNT_(_, a, b, c, d, e, f, g, h, n, ...)	n

/* An argument as a machine word, extended as its own type says. */
#define MARKER_WORD(x)		((unsigned long)(x))

/* All of them as the four words of a marker_fn. */
#define MARKER_WORDS(...)						\
	MARKER_CONCAT(MARKER_WORDS_, MARKER_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define MARKER_WORDS_0()		0, 0, 0, 0
#define MARKER_WORDS_1(a)		MARKER_WORD(a), 0, 0, 0
#define MARKER_WORDS_2(a, b)		MARKER_WORD(a), MARKER_WORD(b), 0, 0
#define MARKER_WORDS_3(a, b, c)		MARKER_WORD(a), MARKER_WORD(b), MARKER_WORD(c), 0
#define MARKER_WORDS_4(a, b, c, d)					\
	MARKER_WORD(a), MARKER_WORD(b), MARKER_WORD(c), MARKER_WORD(d)
#define MARKER_WORDS_5(a, b, c, d, e)					\
	MARKER_WORDS_8(a, b, c, d, e, 0, 0, 0)
#define MARKER_WORDS_6(a, b, c, d, e, f)				\
	MARKER_WORDS_8(a, b, c, d, e, f, 0, 0)
#define MARKER_WORDS_7(a, b, c, d, e, f, g)				\
	MARKER_WORDS_8(a, b, c, d, e, f, g, 0)
#define MARKER_WORDS_8(a, b, c, ...)					\
	MARKER_WORD(a), MARKER_WORD(b), MARKER_WORD(c),			\
	MARKER_WORD(((const unsigned long []){ MARKER_REST(__VA_ARGS__) }))
#define MARKER_REST(d, e, f, g, h)					\
	MARKER_WORD(d), MARKER_WORD(e), MARKER_WORD(f), MARKER_WORD(g), MARKER_WORD(h)

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

#endif
