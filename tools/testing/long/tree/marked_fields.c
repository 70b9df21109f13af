// SPDX-License-Identifier: GPL-2.0-only
/* An event with a field of each kind, whose record BTF has.  Init passes it. */
#define MARK_SYSTEM markers

#include <linux/marker.h>
#include <linux/module.h>

enum marked_state { MARKED_IDLE, MARKED_BUSY = 7 };

static int __init marked_fields_init(void)
{
	static const u8 mac[6] = { 1, 2, 3, 4, 5, 6 };

	MARK_FIELDS(marked_fields, field(u8, small, (u8)1), field(str, text, "text"),
		    field(u64, large, 2), bytes(mac, 6), field(s16, short_one, (s16)-3),
		    symbolic(state, MARKED_BUSY, MARKED_IDLE, MARKED_BUSY),
		    field(bool, yes, true), field(ptr, where, mac));
	return 0;
}
module_init(marked_fields_init);

static void __exit marked_fields_exit(void)
{
}
module_exit(marked_fields_exit);

MODULE_DESCRIPTION("Markers with fields, for tests");
MODULE_LICENSE("GPL");
