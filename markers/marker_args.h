/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arguments of a MARK(): their number, each as a machine word, their types
 * as in struct marker_site, and the function that a site passes them to.
 */
#ifndef MARKERS_MARKER_ARGS_H
#define MARKERS_MARKER_ARGS_H

#include "marker_abi.h"

#define MARKER_CONCAT_(a, b)	a##b
#define MARKER_CONCAT(a, b)	MARKER_CONCAT_(a, b)

/* Number of arguments up to 8, or MANY, for which MARKER_CHECK() reports the only error. */
#define MARKER_COUNT(...)						\
	MARKER_COUNT_(_, ##__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
		      8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MARKER_COUNT_(_, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, number, ...) number

/* M(i, x) for each argument, beginning with i = 0, without separators. */
#define MARKER_MAP(M, ...)						\
	MARKER_CONCAT(MARKER_MAP_, MARKER_COUNT(__VA_ARGS__))(M, ##__VA_ARGS__)
#define MARKER_MAP_0(M)
#define MARKER_MAP_MANY(M, ...)
#define MARKER_MAP_1(M, a)		M(0, a)
#define MARKER_MAP_2(M, a, b)		M(0, a) M(1, b)
#define MARKER_MAP_3(M, a, b, c)	M(0, a) M(1, b) M(2, c)
#define MARKER_MAP_4(M, a, b, c, d)	M(0, a) M(1, b) M(2, c) M(3, d)
#define MARKER_MAP_5(M, a, b, c, d, e)					\
	MARKER_MAP_4(M, a, b, c, d) M(4, e)
#define MARKER_MAP_6(M, a, b, c, d, e, f)				\
	MARKER_MAP_4(M, a, b, c, d) M(4, e) M(5, f)
#define MARKER_MAP_7(M, a, b, c, d, e, f, g)				\
	MARKER_MAP_4(M, a, b, c, d) M(4, e) M(5, f) M(6, g)
#define MARKER_MAP_8(M, a, b, c, d, e, f, g, h)				\
	MARKER_MAP_4(M, a, b, c, d) M(4, e) M(5, f) M(6, g) M(7, h)

/* An argument as a machine word, extended as its own type says. */
#define MARKER_WORD(x)		((unsigned long)(x))

/* All arguments as the four words of a marker_fn. */
#define MARKER_WORDS(...)						\
	MARKER_CONCAT(MARKER_WORDS_, MARKER_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define MARKER_WORDS_0()		0, 0, 0, 0
#define MARKER_WORDS_MANY(...)		0, 0, 0, 0
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

/*
 * Classes of types are those of __builtin_classify_type(): classes below 5, a pointer, are
 * integers; 8 is floating point, and larger ones are structures. sparse knows no classes and
 * compares no strings, so it checks no argument and no name.
 */
#ifdef __CHECKER__
#define MARKER_CLASS(x)			5
#define MARKER_ASSERT(condition, text)	_Static_assert(1, text)
#else
#define MARKER_CLASS(x)			__builtin_classify_type(x)
#define MARKER_ASSERT(condition, text)	_Static_assert(condition, text)
#endif
#define MARKER_IS_INTEGER(x)	(MARKER_CLASS(x) < 5)

/* An integer, 0 for all else. */
#define MARKER_INTEGER(x)	__builtin_choose_expr(MARKER_IS_INTEGER(x), (x), 0)

/*
 * The type of that.  Behind a comma typeof() takes a bit-field, of which gcc has a type of its own:
 * unsigned or not, and as many bytes as the bits need.
 */
#define MARKER_INTEGER_TYPE(x)						\
	typeof(__builtin_choose_expr(MARKER_IS_INTEGER(x), ((void)0, (x)), 0))
#define MARKER_IS_SIGNED(type)	((type)-1 < (type)1)

/* Refuse wrong arguments when compiled, and define the types that the macros below use. */
#define MARKER_CHECK(...)						\
	_Static_assert(MARKER_CONCAT(MARKER_COUNT_IS_, MARKER_COUNT(__VA_ARGS__)), \
		       "a marker has at most 8 arguments");		\
	MARKER_MAP(MARKER_CHECK_ARG, ##__VA_ARGS__)
#define MARKER_CHECK_ARG(i, x)						\
	typedef MARKER_INTEGER_TYPE(x) __marker_integer_##i;		\
	MARKER_ASSERT(MARKER_CLASS(x) <= 5 && sizeof(__marker_integer_##i) <= sizeof(u64), \
		      "an argument of a marker is an integer of up to 64 bits, a pointer or a " \
		      "string: argument " #i);
enum {
	MARKER_COUNT_IS_MANY, MARKER_COUNT_IS_0, MARKER_COUNT_IS_1, MARKER_COUNT_IS_2,
	MARKER_COUNT_IS_3, MARKER_COUNT_IS_4, MARKER_COUNT_IS_5, MARKER_COUNT_IS_6,
	MARKER_COUNT_IS_7, MARKER_COUNT_IS_8,
};

/*
 * The enum marker_type of an argument; @other for any other type: a pointer, a bit-field (gcc), or
 * a type that MARKER_CHECK() refuses.
 */
#define MARKER_TYPE_OR(x, other) _Generic((x),				\
	bool: MARKER_TYPE_U8,						\
	char: MARKER_IS_SIGNED(char) ? MARKER_TYPE_S8 : MARKER_TYPE_U8,	\
	signed char: MARKER_TYPE_S8, unsigned char: MARKER_TYPE_U8,	\
	short: MARKER_TYPE_S16, unsigned short: MARKER_TYPE_U16,	\
	int: MARKER_TYPE_S32, unsigned int: MARKER_TYPE_U32,		\
	long: MARKER_TYPE_S64, unsigned long: MARKER_TYPE_U64,		\
	long long: MARKER_TYPE_S64, unsigned long long: MARKER_TYPE_U64, \
	char *: MARKER_TYPE_STR, const char *: MARKER_TYPE_STR,		\
	default: (other))
#define MARKER_TYPE(x)		MARKER_TYPE_OR(x, MARKER_TYPE_OTHER(x, MARKER_INTEGER_TYPE(x)))

/* A bit-field is an int or unsigned int, or 64 bits wide. */
#define MARKER_TYPE_OTHER(x, type)					\
	(!MARKER_IS_INTEGER(x) ? MARKER_TYPE_PTR :			\
	 (sizeof(type) > sizeof(int) ? MARKER_TYPE_S64 : MARKER_TYPE_S32) + \
	 !MARKER_IS_SIGNED(type))
#define MARKER_IS_BIT_FIELD(x)						\
	(MARKER_IS_INTEGER(x) && MARKER_TYPE_OR(x, MARKER_TYPE_NONE) == MARKER_TYPE_NONE)

/*
 * An argument that keeps its type; behind a comma an array becomes a pointer, but a bit-field does
 * not become an integer.
 */
#define MARKER_OPERAND_OF(x)						\
	__builtin_choose_expr(MARKER_IS_BIT_FIELD(x), (long)(x), ((void)0, (x)))

#define MARKER_TYPES(...)	(0 MARKER_MAP(MARKER_TYPE_AT, ##__VA_ARGS__))
#define MARKER_TYPE_AT(i, x)						\
	| (u32)MARKER_TYPE_OR(x, MARKER_TYPE_OTHER(x, __marker_integer_##i)) << (4 * (i))

/* Arguments that a site passes in registers; of more, the last of these is a pointer. */
#define MARKER_ARGS_REGS 4

/**
 * typedef marker_fn - function that a site calls: a probe, or the dispatcher before several
 * @link: the link of the site; its data belong to the probe
 * @site: the site
 * @a: the first argument of the site, widened to a machine word as its own type says
 * @b: the second
 * @c: the third
 * @d: the fourth; of a site with more than four arguments the address of five words,
 *     which are the fourth to the eighth; marker_words() makes an array of all words
 *
 * All probes have this type.  They are called through pointers, and under kCFI or
 * FineIBT a call through a pointer of another type than the function's traps, so no
 * probe is cast to this type and none is variadic.
 *
 * No parameter is on the stack.  A function may write to the stack where it has its
 * parameters (compilers do, for a call at its end), and a site with fewer arguments
 * sets up fewer: the other words are undefined.
 *
 * Context: as at the site, preemption included.
 */
typedef void marker_fn(const struct marker_link *link, const struct marker_site *site,
		       unsigned long a, unsigned long b, unsigned long c, unsigned long d);

/**
 * MARKER_PARAMS - the parameters of a marker_fn, for its definition
 *
 * The parameters are link, site, a, b, c and d: see marker_fn.
 */
#define MARKER_PARAMS							\
	const struct marker_link *link, const struct marker_site *site,	\
	unsigned long a, unsigned long b, unsigned long c, unsigned long d

/**
 * struct marker_link - first argument of a probe, from the call of a site
 * @func: the probe's function
 * @data: result of the probe's attach(), or the choice of its bind()
 *
 * Constant once published; freed after a wait (dispatch.c).
 */
struct marker_link {
	marker_fn *func;
	void *data;
};

/**
 * marker_words_given - make an array of the arguments of a site, undefined past the last one
 * @words: receives the arguments
 * @site: the site
 * @a: first word of the probe
 * @b: second word of the probe
 * @c: third word of the probe
 * @d: fourth word of the probe
 *
 * Use this in code that runs often and knows the number of arguments.
 *
 * Context: any.
 */
static __always_inline void marker_words_given(unsigned long words[MARKER_ARGS_MAX],
					       const struct marker_site *site,
					       unsigned long a, unsigned long b,
					       unsigned long c, unsigned long d)
{
	const unsigned long *more = (const unsigned long *)d;
	unsigned int i;

	words[0] = a;
	words[1] = b;
	words[2] = c;
	words[3] = d;
	if (site->types >> (4 * MARKER_ARGS_REGS))
		for (i = MARKER_ARGS_REGS - 1; i < MARKER_ARGS_MAX; i++)
			words[i] = *more++;
}

/**
 * marker_words - the arguments of a site as an array
 * @words: where to; past the last argument of the site they are 0
 * @site: the site
 * @a: first word of the probe
 * @b: second word of the probe
 * @c: third word of the probe
 * @d: fourth word of the probe
 *
 * Context: any.
 */
static __always_inline void marker_words(unsigned long words[MARKER_ARGS_MAX],
					 const struct marker_site *site,
					 unsigned long a, unsigned long b,
					 unsigned long c, unsigned long d)
{
	unsigned int i;

	marker_words_given(words, site, a, b, c, d);
	for (i = marker_site_nargs(site); i < MARKER_ARGS_MAX; i++)
		words[i] = 0;
}

#endif
