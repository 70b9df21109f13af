// SPDX-License-Identifier: GPL-2.0-only
/* An architecture without code gates: nothing to encode, no pads. */
#include "gate.h"

unsigned int marker_gate_encode(const struct marker_gate_state *gate, bool open,
				u8 bytes[MARKER_GATE_CODE_MAX])
{
	return 0;
}

unsigned int marker_gate_encode_built(const struct marker_gate_state *gate,
				      u8 bytes[MARKER_GATE_CODE_MAX])
{
	return 0;
}

bool marker_gate_is_long_nop(const u8 *bytes)
{
	return false;
}

u8 *marker_gate_next(const struct marker_gate_state *gate, bool open)
{
	return NULL;
}

bool marker_gate_is_split(const struct marker_gate_state *gate)
{
	return false;
}

unsigned int marker_gate_encode_call(const u8 *code, const void *to, u8 bytes[MARKER_GATE_CODE_MAX])
{
	return 0;
}

u8 *marker_gate_decode_call(const u8 *code)
{
	return NULL;
}

u8 *marker_pad_alloc(const u8 *code)
{
	return NULL;
}

void marker_pad_free(u8 *pad)
{
}

unsigned int marker_pad_encode(const u8 *pad, const u8 *cold, u8 bytes[MARKER_GATE_CODE_MAX])
{
	return 0;
}

void marker_pad_usage(unsigned int *used, unsigned int *bytes)
{
	*used = 0;
	*bytes = 0;
}
