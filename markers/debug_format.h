/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of a debug site (pr_debug() and its relatives) as the format of a marker.
 *
 * A conversion that a marker can record stays unchanged. Any other conversion becomes a text,
 * which is written at the site. If a site has more arguments than a marker, the rest of its
 * message becomes one text.
 */
#ifndef MARKERS_DEBUG_FORMAT_H
#define MARKERS_DEBUG_FORMAT_H

#include "env.h"
#include "plan.h"

/**
 * enum marker_debug_reading - how a word of an event is made of the arguments of the site
 * @DEBUG_READS_WORD: the argument itself
 * @DEBUG_READS_TEXT: the text of one conversion
 * @DEBUG_READS_REST: the text of all that is left of the message
 * @DEBUG_READS_REST_BY_PRINTF: the same; only the kernel's printf() can write it
 */
enum marker_debug_reading {
	DEBUG_READS_WORD,
	DEBUG_READS_TEXT,
	DEBUG_READS_REST,
	DEBUG_READS_REST_BY_PRINTF,
};

/**
 * struct marker_debug_word - one word of an event
 * @reading: enum marker_debug_reading
 * @nargs: number of arguments of a text's conversion, "*" included
 * @start: start of the conversion, or of the rest, in the format of the site
 * @end: end of that text
 * @mask: the bits of the argument
 * @sign: the bit of its sign; 0: unsigned
 */
struct marker_debug_word {
	u8 reading;
	u8 nargs;
	u16 start, end;
	unsigned long mask, sign;
};

/* Sets the bits of an argument of @type. */
static __always_inline void marker_debug_word_set_type(struct marker_debug_word *word,
						       enum marker_type type)
{
	unsigned int bits = type >= MARKER_TYPE_STR ? BITS_PER_LONG :
						      8u << ((type - MARKER_TYPE_S8) / 2);

	word->mask = ~0ul >> (BITS_PER_LONG - bits);
	word->sign = marker_type_is_signed(type) ? 1ul << (bits - 1) : 0;
}

/**
 * struct marker_debug_format - conversion of a debug site's arguments to an event
 * @types: types of the words, as in a struct marker_site
 * @rest_types: types of the arguments of DEBUG_READS_REST
 * @nprefix: words that are no arguments of the format: the device, the interface
 * @nwords: number of words of an event
 * @ntexts: number of words that are written at the site
 * @words: conversion of each word; the first @nprefix are not used
 */
struct marker_debug_format {
	u32 types;
	u32 rest_types;
	u8 nprefix;
	u8 nwords;
	u8 ntexts;
	struct marker_debug_word words[MARKER_ARGS_MAX];
};

/**
 * marker_debug_format_make - find the conversion of a site's arguments to events
 * @format: receives the conversion
 * @text: receives the format of the marker, at most MARKER_FORMAT_SIZE bytes with the NUL
 * @source: the format of the site
 * @nprefix: words in front of its arguments: 2, driver and device; 1, the interface; or 0
 *
 * A format that is too long becomes one text.
 *
 * Context: any.
 */
void marker_debug_format_make(struct marker_debug_format *format, char text[MARKER_FORMAT_SIZE],
			      const char *source, unsigned int nprefix);

#endif
