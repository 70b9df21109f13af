/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decode the data behind a pointer as the kernel's printf() does for "%p" with a suffix: copy a
 * fixed number of bytes, and give the copy to printf().
 */
#ifndef MARKERS_DECODE_H
#define MARKERS_DECODE_H

#include "plan.h"

/*
 * Find the decoder for the letters and digits behind "%p"; NULL: not supported.  @counts:
 * whether the width says how much is there, not how wide it is written.
 */
const struct marker_decoder *marker_decoder_find(const char *suffix, bool *counts);

/*
 * Writes at most @size bytes with the NUL to @to; returns how many without.
 * @count: the width.  Context: any; whatever @word is.
 */
unsigned int marker_decode(const struct marker_arg *arg, unsigned long word, int count,
			   char *to, unsigned int size);

#endif
