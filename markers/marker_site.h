/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry of a MARK() in the section tables, and the checks of its name and format by the
 * compiler and the build. Not here: the gate and the call (marker.h), and the arguments
 * (marker_args.h).
 */
#ifndef MARKERS_MARKER_SITE_H
#define MARKERS_MARKER_SITE_H

#include "env_site.h"
#include "marker_args.h"
#include "marker_abi.h"
#include "marker_fields.h"

/* A wrong format is an error also where it is a warning of printk(), or none. */
#define MARKER_SITE(kind, name, id, fmt, ...)				\
	static const char __marker_text[]				\
		MARKER_TEXT_SECTION = name "\003" fmt MARKER_TEXT_PLACE; \
	MARKER_ENTRY(kind, name, id, MARKER_FORMAT(fmt), ##__VA_ARGS__); \
	_Pragma("GCC diagnostic push")					\
	_Pragma("GCC diagnostic error \"-Wformat\"")			\
	_Pragma("GCC diagnostic error \"-Wformat-extra-args\"")		\
	_Pragma("GCC diagnostic ignored \"-Wformat-zero-length\"")	\
	if (0)								\
		marker_check_format(fmt, ##__VA_ARGS__);		\
	_Pragma("GCC diagnostic pop")					\
	do { } while (0)

/* Behind KERN_SOH and the character of a level.  sparse compares no strings. */
#ifdef __CHECKER__
#define MARKER_FORMAT(fmt)	"" fmt
#else
#define MARKER_FORMAT(fmt)						\
	__builtin_choose_expr(!__builtin_strncmp(fmt, "\001", 1), &(fmt)[2], "" fmt)
#endif

#define MARKER_ENTRY(_kind, _name, id, fmt, ...)			\
	MARKER_CHECK(__VA_ARGS__)					\
	static struct marker_site __marker_site				\
		__section(".discard_markers") __used __aligned(8) = {	\
		.name = _name,						\
		.format = fmt,						\
		.file = __FILE__,					\
		.types = MARKER_TYPES(__VA_ARGS__),			\
		.line = __LINE__,					\
		.kind = _kind,						\
	};								\
	enum { id };							\
	MARKER_ASSERT(__builtin_strncmp(#id, "__marker_is_9", 13) > 0,	\
		      "the name of a marker does not begin with a digit: " _name); \
	MARKER_NEED_BOUNDS

/**
 * marker_check_format - never called: the compiler checks the arguments of the format
 * @fmt: as of KMARK()
 * @...: as of KMARK()
 */
static inline __printf(1, 2) void marker_check_format(const char *fmt, ...)
{
}

#endif
