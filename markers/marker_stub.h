/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For a driver that is also built where the markers are not installed: copy this file beside the
 * driver's sources, and include it in place of marker.h.  Where the build finds the headers of the
 * markers, these are used.  Elsewhere each macro checks its format and its arguments as printk()
 * does, and makes no code.
 */
#ifndef MARKERS_MARKER_STUB_H
#define MARKERS_MARKER_STUB_H

#if __has_include("marker_abi.h")
#include "marker.h"
#else

/**
 * marker_stub_check - never called: the compiler checks the arguments of the format
 * @format: as of KMARK()
 * @...: as of KMARK()
 */
static inline __printf(1, 2) void marker_stub_check(const char *format, ...)
{
}

#define KMARK(name, ...)						\
do {									\
	if (0)								\
		marker_stub_check(" " __VA_ARGS__);			\
} while (0)
#define KMARK_GENERIC(name, ...)	KMARK(name, __VA_ARGS__)
#define KMARK_KPROBE(name, ...)		KMARK(name, __VA_ARGS__)

/* Count the arguments of the fields as used; marker.h checks the fields. */
#define KMARK_FIELDS(name, ...)						\
do {									\
	if (0) {							\
		MARKER_STUB_FIELDS(__VA_ARGS__)				\
	}								\
} while (0)
#define MARKER_STUB_FIELDS(...)						\
	MARKER_STUB_PICK(_, ##__VA_ARGS__, MARKER_STUB_8, MARKER_STUB_7, MARKER_STUB_6,	\
			 MARKER_STUB_5, MARKER_STUB_4, MARKER_STUB_3, MARKER_STUB_2,	\
			 MARKER_STUB_1, MARKER_STUB_0)(__VA_ARGS__)
#define MARKER_STUB_PICK(_, a, b, c, d, e, f, g, h, macro, ...) macro
#define MARKER_STUB_0(...)
#define MARKER_STUB_1(a)	MARKER_STUB_##a
#define MARKER_STUB_2(a, ...)	MARKER_STUB_##a MARKER_STUB_1(__VA_ARGS__)
#define MARKER_STUB_3(a, ...)	MARKER_STUB_##a MARKER_STUB_2(__VA_ARGS__)
#define MARKER_STUB_4(a, ...)	MARKER_STUB_##a MARKER_STUB_3(__VA_ARGS__)
#define MARKER_STUB_5(a, ...)	MARKER_STUB_##a MARKER_STUB_4(__VA_ARGS__)
#define MARKER_STUB_6(a, ...)	MARKER_STUB_##a MARKER_STUB_5(__VA_ARGS__)
#define MARKER_STUB_7(a, ...)	MARKER_STUB_##a MARKER_STUB_6(__VA_ARGS__)
#define MARKER_STUB_8(a, ...)	MARKER_STUB_##a MARKER_STUB_7(__VA_ARGS__)
/* Without an argument, a field is the variable of its name. */
#define MARKER_STUB_ARGUMENT(_, name, ...)	name
#define MARKER_STUB_field(type, name, ...)				\
	(void)(MARKER_STUB_ARGUMENT(_, ##__VA_ARGS__, name));
#define MARKER_STUB_bytes(name, n, ...)					\
	(void)(n); (void)(MARKER_STUB_ARGUMENT(_, ##__VA_ARGS__, name));
#define MARKER_STUB_symbolic(name, argument, ...)	(void)(argument);

#ifndef MARKER_NO_SHORT_NAMES
#define MARK(name, ...)			KMARK(name, __VA_ARGS__)
#define MARK_FIELDS(name, ...)		KMARK_FIELDS(name, ##__VA_ARGS__)
#define MARK_GENERIC(name, ...)		KMARK(name, __VA_ARGS__)
#define MARK_KPROBE(name, ...)		KMARK(name, __VA_ARGS__)
#endif

#endif
#endif
