/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions of A64 as bytes: little endian, whatever data is.  Context: any. */
#ifndef MARKERS_ARCH_ENCODE_H
#define MARKERS_ARCH_ENCODE_H

#include "env.h"

static inline unsigned int marker_insn_put(u8 *bytes, u32 insn)
{
	unsigned int i;

	for (i = 0; i < sizeof(insn); i++)
		bytes[i] = insn >> 8 * i;
	return sizeof(insn);
}

static inline u32 marker_insn_get(const u8 *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (u32)bytes[3] << 24;
}

#endif
