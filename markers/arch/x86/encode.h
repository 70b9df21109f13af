/* SPDX-License-Identifier: GPL-2.0-only */
/* Opcodes and helpers shared by the encoders of gates and pads on x86-64.  Context: any. */
#ifndef MARKERS_ARCH_ENCODE_H
#define MARKERS_ARCH_ENCODE_H

#include "gate.h"

#define MARKER_OP_JMP32		0xe9
#define MARKER_OP_CALL32	0xe8

/* The NOP that the compiler leaves for all gates of 5 bytes. */
static inline unsigned int marker_encode_nop5(u8 *bytes)
{
	static const u8 nop5[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	memcpy(bytes, nop5, sizeof(nop5));
	return sizeof(nop5);
}

/* An opcode and the distance from the end of its instruction. */
static inline unsigned int marker_encode_rel32(u8 *bytes, u8 opcode, const u8 *code,
					       const void *to)
{
	s32 rel = (const u8 *)to - (code + 5);

	bytes[0] = opcode;
	memcpy(bytes + 1, &rel, sizeof(rel));
	return 5;
}

#endif
