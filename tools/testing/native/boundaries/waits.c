// SPDX-License-Identifier: GPL-2.0-only
/*
 * Foreign writes to text while a transaction waits.  It waits for gates of several NOPs, which
 * it changes first, and text is not locked meanwhile.
 */
#include "boundaries.h"
#include "patch.h"
#include "text.h"

#define LEN	5
#define FOREIGN	0x55

void __real_marker_text_quiesce(void);
void __wrap_marker_text_quiesce(void);

/* No CPU comes here. */
extern u8 waits_split[], waits_gate[];
asm(".pushsection .text\n"
	".balign 16\n"
	"waits_split: .byte 0x66, 0x66, 0x90, 0x66, 0x90\n"
	".balign 16\n"
	"waits_gate: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	".popsection");

/* Where the next wait writes FOREIGN; NULL: nowhere. */
static u8 *others;

static void write_foreign(u8 *addr)
{
	struct marker_text_alias alias;
	struct marker_patch patch = { .addr = addr, .len = 1 };
	u8 byte = FOREIGN;

	if (marker_text_map(&alias, &patch, 1))
		return;
	marker_text_write(&alias, addr, &byte, 1);
	marker_text_unmap(&alias);
}

void __wrap_marker_text_quiesce(void)
{
	__real_marker_text_quiesce();
	if (others)
		write_foreign(others);
	others = NULL;
}

void check_waits(void)
{
	static const u8 jump[LEN] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
	struct marker_patch patches[] = {
		{ .addr = waits_split, .to = waits_split + LEN, .len = LEN, .split = true },
		{ .addr = waits_gate, .to = waits_gate + LEN, .len = LEN },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(patches); i++) {
		memcpy(patches[i].old, patches[i].addr, LEN);
		memcpy(patches[i].new, jump, LEN);
	}
	others = waits_gate + 1;
	check(marker_patch_apply(patches, ARRAY_SIZE(patches), NULL) == -EBUSY,
	      "what is foreign after a wait is refused", "");
	check(!memcmp(waits_split, jump, LEN), "what waited is written", "");
	check(waits_gate[0] == 0x0f && waits_gate[1] == FOREIGN, "what is foreign after a wait stays", "");
}
