// SPDX-License-Identifier: GPL-2.0-only
/*
 * Landing pads of pun gates.
 *
 * The CPU ignores the operand of a long NOP, and one byte turns the NOP into a jump
 * to that operand:
 *
 *	0f 1f MM SS DD	nopl disp8(SIB)		MM one of 44 4c 54 .. 7c
 *	e9 1f MM SS DD	jmp  site + 5 + 0xDDSSMM1f
 *
 * So the low half of the distance to the pad has one of eight values, and the
 * high half is free: in every 64 KB of text there are eight places where the
 * pad of a given site may stand.  The pad is a jmp to the cold block.  It is
 * written before the site can be opened, and is never executed while closed.
 *
 * Prior work: Chamith et al., "Instruction Punning", PLDI 2017.  They rewrite
 * existing instructions; here the compiler emits a suitable NOP.
 *
 * Context: all under marker_mutex.
 */
#include "encode.h"
#include "pad.h"

#define PAD_SIZE	5
#define WINDOW		65536ul

extern u8 marker_pads[], marker_pads_end[];

static u8 taken[2 * WINDOW / 8];	/* a bit a byte of the areas */
static unsigned int pads;

static bool test_taken(unsigned long i)
{
	return taken[i / 8] & 1 << i % 8;
}

static bool is_free(unsigned long at)
{
	unsigned long i;

	for (i = at; i < at + PAD_SIZE; i++)
		if (test_taken(i))
			return false;
	return true;
}

static void mark(unsigned long at, bool use)
{
	unsigned long i;

	for (i = at; i < at + PAD_SIZE; i++)
		taken[i / 8] = use ? taken[i / 8] | 1 << i % 8 : taken[i / 8] & ~(1 << i % 8);
}

static u8 *alloc(const u8 *code)
{
	unsigned long size = marker_pads_end - marker_pads, modrm, at;

	for (modrm = 0x44; modrm <= 0x7c; modrm += 8) {
		at = (unsigned long)code + 5 + (modrm << 8 | 0x1f);
		at = (at - (unsigned long)marker_pads) % WINDOW;
		for (; at + PAD_SIZE <= size; at += WINDOW) {
			if (!is_free(at))
				continue;
			mark(at, true);
			pads++;
			return marker_pads + at;
		}
	}
	return NULL;
}

static void release(u8 *pad)
{
	mark(pad - marker_pads, false);
	pads--;
}

static unsigned int encode(const u8 *pad, const u8 *cold, u8 bytes[MARKER_GATE_CODE_MAX])
{
	if (cold)
		return marker_encode_rel32(bytes, MARKER_OP_JMP32, pad, cold);
	memset(bytes, 0xcc, PAD_SIZE);
	return PAD_SIZE;
}

static void usage(unsigned int *used, unsigned int *bytes)
{
	*used = pads;
	*bytes = marker_pads_end - marker_pads;
}

const struct marker_pad_ops marker_pad_ops_x86 = {
	.alloc = alloc,
	.free = release,
	.encode = encode,
	.usage = usage,
};
