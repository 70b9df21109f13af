/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of a MARK_FIELDS(): the macros that make the format, the arguments and the checks
 * of the fields.  Not here: the site (marker.h), and the parser of the format (plan.h).
 *
 *	field(u16, port)			port=%hu
 *	field(str, path, file->path)		path=%s
 *	bytes(mac, 6)				mac=%6y
 *	symbolic(state, s->state, IDLE, BUSY)	state=%{ IDLE=00000000 BUSY=00000001 }
 *
 * "%y" and "%{" are no conversions of printf(), so no MARK() has them.  The values of the
 * names are not known to the preprocessor.  So the format is no string, but a structure of
 * arrays of characters, one behind the other, and their digits are computed.
 *
 * Fields and names are passed on by "##" and ", ##", which do not expand them: so a name
 * may be that of a macro, and is recorded as it stands in the source.
 */
#ifndef MARKERS_MARKER_FIELDS_H
#define MARKERS_MARKER_FIELDS_H

#include "marker_args.h"

/* P##field for each field. */
#define MARKER_FIELDS(P, ...)						\
	MARKER_CONCAT(MARKER_FIELDS_, MARKER_COUNT(__VA_ARGS__))(P, ##__VA_ARGS__)
#define MARKER_FIELDS_0(P)
#define MARKER_FIELDS_MANY(P, ...)
#define MARKER_FIELDS_1(P, a)			P##a
#define MARKER_FIELDS_2(P, a, b)		P##a P##b
#define MARKER_FIELDS_3(P, a, b, c)		P##a P##b P##c
#define MARKER_FIELDS_4(P, a, b, c, d)		P##a P##b P##c P##d
#define MARKER_FIELDS_5(P, a, b, c, d, e)	P##a P##b P##c P##d P##e
#define MARKER_FIELDS_6(P, a, b, c, d, e, f)	P##a P##b P##c P##d P##e P##f
#define MARKER_FIELDS_7(P, a, b, c, d, e, f, g)	P##a P##b P##c P##d P##e P##f P##g
#define MARKER_FIELDS_8(P, a, b, c, d, e, f, g, h)			\
	P##a P##b P##c P##d P##e P##f P##g P##h

/* M(i, "name", value) for each name of a symbolic(), and the number i of those behind it. */
#define MARKER_SYMBOLS(M, ...)						\
	MARKER_CONCAT(MARKER_SYMBOLS_, MARKER_SYMBOLS_COUNT(__VA_ARGS__))(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_COUNT(...)					\
	MARKER_SYMBOLS_COUNT_(_, ##__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
			      MANY, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MARKER_SYMBOLS_COUNT_(_, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, \
			      v, w, x, number, ...) number
#define MARKER_SYMBOLS_0(M)
#define MARKER_SYMBOLS_MANY(M, ...)
#define MARKER_SYMBOLS_1(M, a)		M(0, #a, a)
#define MARKER_SYMBOLS_2(M, a, ...)	M(1, #a, a) MARKER_SYMBOLS_1(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_3(M, a, ...)	M(2, #a, a) MARKER_SYMBOLS_2(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_4(M, a, ...)	M(3, #a, a) MARKER_SYMBOLS_3(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_5(M, a, ...)	M(4, #a, a) MARKER_SYMBOLS_4(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_6(M, a, ...)	M(5, #a, a) MARKER_SYMBOLS_5(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_7(M, a, ...)	M(6, #a, a) MARKER_SYMBOLS_6(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_8(M, a, ...)	M(7, #a, a) MARKER_SYMBOLS_7(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_9(M, a, ...)	M(8, #a, a) MARKER_SYMBOLS_8(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_10(M, a, ...)	M(9, #a, a) MARKER_SYMBOLS_9(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_11(M, a, ...)	M(10, #a, a) MARKER_SYMBOLS_10(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_12(M, a, ...)	M(11, #a, a) MARKER_SYMBOLS_11(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_13(M, a, ...)	M(12, #a, a) MARKER_SYMBOLS_12(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_14(M, a, ...)	M(13, #a, a) MARKER_SYMBOLS_13(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_15(M, a, ...)	M(14, #a, a) MARKER_SYMBOLS_14(M, ##__VA_ARGS__)
#define MARKER_SYMBOLS_16(M, a, ...)	M(15, #a, a) MARKER_SYMBOLS_15(M, ##__VA_ARGS__)

/* The types of field(): the recorded type, the type of the cast, the conversion. */
#define MARKER_FIELD_u8		MARKER_TYPE_U8, u8, "%hhu"
#define MARKER_FIELD_s8		MARKER_TYPE_S8, s8, "%hhd"
#define MARKER_FIELD_u16	MARKER_TYPE_U16, u16, "%hu"
#define MARKER_FIELD_s16	MARKER_TYPE_S16, s16, "%hd"
#define MARKER_FIELD_u32	MARKER_TYPE_U32, u32, "%u"
#define MARKER_FIELD_s32	MARKER_TYPE_S32, s32, "%d"
#define MARKER_FIELD_u64	MARKER_TYPE_U64, u64, "%llu"
#define MARKER_FIELD_s64	MARKER_TYPE_S64, s64, "%lld"
#define MARKER_FIELD_str	MARKER_TYPE_STR, const char *, "%s"
#define MARKER_FIELD_ptr	MARKER_TYPE_PTR, const void *, "%p"
/* Any integer: 0 or not. */
#define MARKER_FIELD_bool	MARKER_TYPE_NONE, bool, "%hhu"
#define MARKER_FIELD__Bool	MARKER_FIELD_bool	/* <stdbool.h> has a macro */

/* The int and the "" keep an unknown type from causing more errors than the one about its name. */
#define MARKER_FIELD_TYPE(type)		MARKER_FIELD_TYPE_(MARKER_FIELD_##type, int, "")
#define MARKER_FIELD_TYPE_(...)		MARKER_FIELD_1ST(__VA_ARGS__)
#define MARKER_FIELD_1ST(a, ...)	a
#define MARKER_FIELD_CAST(type)		MARKER_FIELD_CAST_(MARKER_FIELD_##type, int, "")
#define MARKER_FIELD_CAST_(...)		MARKER_FIELD_2ND(__VA_ARGS__)
#define MARKER_FIELD_2ND(a, b, ...)	b
#define MARKER_FIELD_SPEC(type)		MARKER_FIELD_SPEC_(MARKER_FIELD_##type, int, "")
#define MARKER_FIELD_SPEC_(...)		MARKER_FIELD_3RD(__VA_ARGS__)
#define MARKER_FIELD_3RD(a, b, c, ...)	c

/* The argument of a field: the given one, else the variable with the name of the field. */
#define MARKER_FIELD_ARG(name, ...)	MARKER_FIELD_2ND(_, ##__VA_ARGS__, name)

/* The arguments of the site, a comma before each. */
#define MARKER_FIELDS_ARGS(_, ...)	MARKER_FIELDS(MARKER_ARG_, ##__VA_ARGS__)
#define MARKER_ARG_field(type, name, ...)				\
	, (MARKER_FIELD_CAST(type))(MARKER_FIELD_ARG(name, ##__VA_ARGS__))
#define MARKER_ARG_bytes(name, n, ...)					\
	, (const void *)(MARKER_FIELD_ARG(name, ##__VA_ARGS__))
#define MARKER_ARG_symbolic(name, value, ...)				\
	, (s32)(value)

/* Behind the first character it is the format; and once more for the check of the build. */
#define MARKER_FIELDS_FORMAT(marker, ...)				\
	static const struct {						\
		MARKER_FIELDS(MARKER_CHARS_, ##__VA_ARGS__)		\
		char end;						\
	} __marker_format = { MARKER_FIELDS(MARKER_TEXT_, ##__VA_ARGS__) 0 };	\
	static const struct {						\
		char name[MARKER_LENGTH(marker "\003")];		\
		MARKER_FIELDS(MARKER_CHARS_, ##__VA_ARGS__)		\
		char place[sizeof(MARKER_TEXT_PLACE)];			\
	} __marker_text MARKER_TEXT_SECTION = {				\
		marker "\003", MARKER_FIELDS(MARKER_TEXT_, ##__VA_ARGS__) MARKER_TEXT_PLACE \
	};								\
	_Static_assert(sizeof(__marker_format) <= MARKER_FORMAT_SIZE,	\
		       "the names of the fields and of their values have too many characters")

#define MARKER_LENGTH(text)		(sizeof(text) - 1)
#define MARKER_STRING(x)		MARKER_STRING_(x)
#define MARKER_STRING_(x)		#x

#define MARKER_CHARS_field(type, name, ...)				\
	char field_##name[MARKER_LENGTH(" " #name "=" MARKER_FIELD_SPEC(type))];
#define MARKER_TEXT_field(type, name, ...)				\
	" " #name "=" MARKER_FIELD_SPEC(type),
#define MARKER_CHARS_bytes(name, n, ...)				\
	char field_##name[MARKER_LENGTH(" " #name "=%" MARKER_STRING(n) "y")];
#define MARKER_TEXT_bytes(name, n, ...)					\
	" " #name "=%" MARKER_STRING(n) "y",
#define MARKER_CHARS_symbolic(name, value, ...)				\
	struct {							\
		char begin[MARKER_LENGTH(" " #name "=%{")];		\
		MARKER_SYMBOLS(MARKER_SYMBOL_CHARS, ##__VA_ARGS__)	\
		char end[MARKER_LENGTH(" }")];				\
	} field_##name;
#define MARKER_TEXT_symbolic(name, value, ...)				\
	{ " " #name "=%{", MARKER_SYMBOLS(MARKER_SYMBOL_TEXT, ##__VA_ARGS__) " }" },
#define MARKER_SYMBOL_CHARS(i, text, value)				\
	char name##i[MARKER_LENGTH(" " text "=")]; char digits##i[8];
#define MARKER_SYMBOL_TEXT(i, text, value)				\
	" " text "=",							\
	{ MARKER_DIGIT(value, 28), MARKER_DIGIT(value, 24), MARKER_DIGIT(value, 20), \
	  MARKER_DIGIT(value, 16), MARKER_DIGIT(value, 12), MARKER_DIGIT(value, 8), \
	  MARKER_DIGIT(value, 4), MARKER_DIGIT(value, 0) },
#define MARKER_NIBBLE(value, shift)	((u32)(value) >> (shift) & 15)
#define MARKER_DIGIT(value, shift)					\
	MARKER_NIBBLE(value, shift) + (MARKER_NIBBLE(value, shift) < 10 ? '0' : 'a' - 10)

/* Compile-time checks of the fields. */
#define MARKER_FIELDS_ASSERT(_, ...)					\
	_Static_assert(MARKER_CONCAT(MARKER_COUNT_IS_, MARKER_COUNT(__VA_ARGS__)) > \
		       MARKER_COUNT_IS_0, "MARK_FIELDS() has 1 to 8 fields"); \
	MARKER_FIELDS(MARKER_ASSERT_, ##__VA_ARGS__)

#define MARKER_ASSERT_field(type, name, ...)				\
	MARKER_ASSERT_NAME(#name)					\
	MARKER_ASSERT_FITS("field(" #type ", " #name ")",		\
			   MARKER_FIELD_TYPE(type), MARKER_FIELD_CAST(type), \
			   __marker_type_##name, __marker_fits_##name, __marker_holds_##name, \
			   MARKER_FIELD_ARG(name, ##__VA_ARGS__))
/* clang prints the condition of an assertion, so that is a name. */
#define MARKER_ASSERT_FITS(text, type, cast, from, fits, holds, x)	\
	typedef MARKER_INTEGER_TYPE(x) from;				\
	enum {								\
		fits = !MARKER_IS_CONSTANT(x) ||			\
		       MARKER_FITS(type, cast, from, MARKER_CONSTANT(x)), \
		holds = MARKER_IS_CONSTANT(x) || MARKER_HOLDS(type, cast, from, x), \
	};								\
	MARKER_ASSERT(fits, text ": the constant is no value of this type"); \
	MARKER_ASSERT(holds,						\
		      text ": not all values that the type of the argument has are values of " \
		      "this type: take another one, or cast the argument");
#define MARKER_ASSERT_bytes(name, n, ...)				\
	MARKER_ASSERT_NAME(#name)					\
	MARKER_ASSERT(MARKER_CLASS(MARKER_FIELD_ARG(name, ##__VA_ARGS__)) == 5, \
		      "bytes(" #name ", " #n "): the argument is no pointer"); \
	_Static_assert((n) >= 1 && (n) <= MARKER_BYTES_MAX &&		\
		       sizeof(MARKER_STRING(n)) == ((n) < 10 ? 2 : 3),	\
		       "bytes(" #name ", " #n "): the number is not 1 to 64 in decimal digits"); \
	_Static_assert(MARKER_CONCAT(1, n), "no name of a number");
#define MARKER_ASSERT_symbolic(name, value, ...)			\
	MARKER_ASSERT_NAME(#name)					\
	MARKER_ASSERT(MARKER_IS_INTEGER(value) &&			\
		      sizeof(MARKER_INTEGER_TYPE(value)) <= sizeof(s32), \
		      "symbolic(" #name ", ...): the argument is no integer of up to 32 bits"); \
	_Static_assert(MARKER_CONCAT(MARKER_SYMBOLS_ARE_,		\
				     MARKER_SYMBOLS_COUNT(__VA_ARGS__)), \
		       "symbolic(" #name ", ...): it has 1 to 16 names");	\
	MARKER_SYMBOLS(MARKER_ASSERT_SYMBOL, ##__VA_ARGS__)
#define MARKER_ASSERT_SYMBOL(i, text, value)				\
	_Static_assert((s32)(value) == (s64)(value) &&			\
		       sizeof(text) <= MARKER_SYMBOL_MAX,		\
		       "symbolic(): " text " is no value of 32 bits, or has over 47 characters");

#define MARKER_ASSERT_NAME(text)					\
	_Static_assert(sizeof(text) <= MARKER_ARG_NAME_MAX,		\
		       "field " text ": its name has more than 31 characters"); \
	MARKER_ASSERT(MARKER_NAME_IS_FREE(text),			\
		      "field " text ": no field is called line, arg... or common_..., " \
		      "and no name begins with a digit");
#define MARKER_NAME_IS_FREE(text)					\
	(__builtin_strcmp(text, "line") && __builtin_strncmp(text, "arg", 3) && \
	 __builtin_strncmp(text, "common_", 7) && __builtin_strncmp(text, "9", 1) > 0)

/* True if @x is an integer constant, like the kernel's __is_constexpr(). */
#define MARKER_IS_CONSTANT(x)						\
	(MARKER_IS_INTEGER(x) &&					\
	 sizeof(int) == sizeof(*(8 ? (void *)((long)MARKER_INTEGER(x) * 0l) : (int *)8)))
#define MARKER_CONSTANT(x)		__builtin_choose_expr(MARKER_IS_CONSTANT(x), (x), 0)

/* True if a field holds the value @x, whose type is @from; @type: enum marker_type, of @cast. */
#define MARKER_FITS(type, cast, from, x)				\
	((type) == MARKER_TYPE_NONE ||					\
	 ((type) < MARKER_TYPE_STR &&					\
	  (MARKER_IS_SIGNED(from) && (s64)(x) < 0 ?			\
	   (type) % 2 && (u64)~(s64)(x) <= MARKER_MOST(type, cast) :	\
	   (u64)(x) <= MARKER_MOST(type, cast))))
#define MARKER_MOST(type, cast)		(U64_MAX >> (64 - 8 * sizeof(cast) + (type) % 2))

/* True if it holds all values of @x.  -1 is the largest value of an unsigned type or bit-field. */
#define MARKER_HOLDS(type, cast, from, x)				\
	(MARKER_CLASS(x) == 5 ? (type) == MARKER_TYPE_PTR || (type) == MARKER_TYPE(x) : \
	 MARKER_IS_INTEGER(x) &&					\
	 (!MARKER_IS_SIGNED(from) ? MARKER_FITS(type, cast, from, (from)-1) : \
	  (type) == MARKER_TYPE_NONE ||					\
	  ((type) < MARKER_TYPE_STR && (type) % 2 && sizeof(cast) >= sizeof(from))))

enum {
	MARKER_SYMBOLS_ARE_MANY = 0, MARKER_SYMBOLS_ARE_0 = 0, MARKER_SYMBOLS_ARE_1,
	MARKER_SYMBOLS_ARE_2, MARKER_SYMBOLS_ARE_3, MARKER_SYMBOLS_ARE_4, MARKER_SYMBOLS_ARE_5,
	MARKER_SYMBOLS_ARE_6, MARKER_SYMBOLS_ARE_7, MARKER_SYMBOLS_ARE_8, MARKER_SYMBOLS_ARE_9,
	MARKER_SYMBOLS_ARE_10, MARKER_SYMBOLS_ARE_11, MARKER_SYMBOLS_ARE_12,
	MARKER_SYMBOLS_ARE_13, MARKER_SYMBOLS_ARE_14, MARKER_SYMBOLS_ARE_15,
	MARKER_SYMBOLS_ARE_16,
};

#endif
