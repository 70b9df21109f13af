// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bytes of gates and calls on arm64, on any machine: markers/arch/arm64/gates.c
 * depends on its arguments only.  TAP.
 */
#include "gate.h"

#define MB	(1024l * 1024)

static unsigned int count, failed;

static void check(const char *what, bool good)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++count, what);
	failed += !good;
}

/* Where the instructions are: nothing reads or writes most of it. */
static u8 *const base = (u8 *)(4096 * MB);

static bool gate_is(const u8 *cold, bool open, const char *expected)
{
	const struct marker_gate_ops *ops = &marker_gate_arch.gates[MARKER_GATE_NOP5];
	struct marker_gate_state gate = {
		.code = base, .cold = (u8 *)cold, .kind = MARKER_GATE_NOP5,
	};
	u8 bytes[MARKER_GATE_CODE_MAX] = { };

	return ops->encode(&gate, open, bytes) == 4 && !memcmp(bytes, expected, 4);
}

static bool call_is(const u8 *to, const u8 *none, const char *expected)
{
	u8 bytes[MARKER_GATE_CODE_MAX] = { };

	return marker_gate_arch.encode_call(base, to, none, bytes) == 4 &&
	       !memcmp(bytes, expected, 4);
}

/* True if the call or jump at @text leads @offset further. */
static bool leads(const char *bytes, long offset)
{
	u8 text[4];

	memcpy(text, bytes, sizeof(text));
	return marker_gate_arch.decode_call(text) - text == offset;
}

int main(void)
{
	u8 stubs[] = { 0xc0, 0x03, 0x5f, 0xd6, 0x10, 0x00, 0x40, 0xf9, 0x00, 0x02, 0x1f, 0xd6 };
	const u8 *none = base + 64;
	u8 nop[] = { 0x1f, 0x20, 0x03, 0xd5 }, b[] = { 0x04, 0x00, 0x00, 0x14 };

	check("closed: nop", gate_is(base + 16, false, "\x1f\x20\x03\xd5"));
	check("open: b, forward", gate_is(base + 16, true, "\x04\x00\x00\x14"));
	check("open: b, backward", gate_is(base - 8, true, "\xfe\xff\xff\x17"));
	check("call: bl, forward", call_is(base + 4096, none, "\x00\x04\x00\x94"));
	check("call: bl, backward", call_is(base - 4096, none, "\x00\xfc\xff\x97"));
	check("call: as far as a bl reaches, forward",
	      call_is(base + 128 * MB - 4, none, "\xff\xff\xff\x95"));
	check("call: as far as a bl reaches, backward",
	      call_is(base - 128 * MB, none, "\x00\x00\x00\x96"));
	check("call: further, forward: bl to what calls by the link",
	      call_is(base + 128 * MB, none, "\x11\x00\x00\x94"));
	check("call: further, backward: bl to what calls by the link",
	      call_is(base - 128 * MB - 4, none, "\x11\x00\x00\x94"));
	check("decode: forward", leads("\x00\x04\x00\x94", 4096));
	check("decode: backward", leads("\x00\xfc\xff\x97", -4096));
	check("decode: the furthest", leads("\xff\xff\xff\x95", 128 * MB - 4) &&
	      leads("\x00\x00\x00\x96", -128 * MB));
	check("decode: a nop is no call", !marker_gate_arch.decode_call(nop));
	check("decode: a b is no call", !marker_gate_arch.decode_call(b));
	check("what does nothing is that itself", marker_gate_arch.none_of_call(stubs) == stubs);
	check("what does nothing is beside what calls by the link",
	      marker_gate_arch.none_of_call(stubs + 4) == stubs);
	printf("1..%u\n", count);
	return failed > 0;
}
