// SPDX-License-Identifier: GPL-2.0-only
/* An architecture without code gates: nothing to encode, no pads. */
#include "gate.h"

unsigned int gate_encode(const struct gate *gate, bool open, u8 bytes[GATE_CODE_MAX])
{
	return 0;
}

unsigned int gate_encode_built(const struct gate *gate, u8 bytes[GATE_CODE_MAX])
{
	return 0;
}

bool marker_gate_is_long_nop(const u8 *bytes)
{
	return false;
}

u8 *gate_next(const struct gate *gate, bool open)
{
	return NULL;
}

bool gate_is_split(const struct gate *gate)
{
	return false;
}

unsigned int gate_encode_call(const u8 *code, const void *to,
			      u8 bytes[GATE_CODE_MAX])
{
	return 0;
}

u8 *gate_decode_call(const u8 *code)
{
	return NULL;
}

u8 *pad_alloc(const u8 *code)
{
	return NULL;
}

void pad_free(u8 *pad)
{
}

unsigned int pad_encode(const u8 *pad, const u8 *cold, u8 bytes[GATE_CODE_MAX])
{
	return 0;
}

void pad_usage(unsigned int *used, unsigned int *bytes)
{
	*used = 0;
	*bytes = 0;
}
