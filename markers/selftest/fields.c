// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_fields.ko: MARK_FIELDS() with each kind of field, for tests of readers
 * of fields.  tools/testing/guest/fields_compared.py has the fields of event number n, too.
 * The parameter fire: N events of each marker, numbered from N - 1 to 0.
 */
#include "fire.h"
#include "marker.h"

enum state { FIELDS_IDLE, FIELDS_BUSY = 7, FIELDS_GONE = -1 };
#define FIELDS_MACRO 0x10000

static const int states[] = { FIELDS_IDLE, FIELDS_BUSY, FIELDS_GONE, FIELDS_MACRO, 3 };

static const char *const paths[] = { "/", "/srv/a b", "x", NULL };

static noinline void fire_kinds(u32 n)
{
	u8 mac[6] = { n, n >> 8, n >> 16, n >> 24, 0xab, 0xff };
	const char *path = paths[n % ARRAY_SIZE(paths)];
	u16 port = n * 3;
	struct {
		bool up:1;
		s64 balance:63;
	} bits = { n & 2, -(long)n };

	MARK_FIELDS(fields_kinds, field(u16, port), field(str, path), bytes(mac, 6),
		    symbolic(state, states[n % ARRAY_SIZE(states)], FIELDS_IDLE, FIELDS_BUSY,
			     FIELDS_GONE, FIELDS_MACRO),
		    field(bool, up, bits.up), field(ptr, owner, (void *)(4096ul * n)),
		    field(s64, balance, bits.balance), bytes(bad, 3, (void *)(16ul + n)));
}

static noinline void fire_ints(u32 n)
{
	MARK_FIELDS(fields_ints, field(s8, a, (s8)n), field(u8, b, (u8)(n * 3)),
		    field(s16, c, (s16)-n), field(u16, d, (u16)(n * 5)),
		    field(s32, e, (s32)(-n * 65537u)), field(u32, f, n),
		    field(s64, g, n), field(u64, h, (u64)n * 0x9e3779b97f4a7c15ull));
}

static noinline void fire_all(int n)
{
	fire_kinds(n);
	fire_ints(n);
}

MODULE_DESCRIPTION("markers with named fields, for the tests");
MODULE_LICENSE("GPL");
