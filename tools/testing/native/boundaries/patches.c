// SPDX-License-Identifier: GPL-2.0-only
/* The rounds of a transaction, and the int3 that a CPU may meet meanwhile. */
#include <err.h>
#include "boundaries.h"
#include "patch.h"
#include "rounds.h"
#include "text.h"

void boundaries_write_byte(u8 *addr, u8 byte)
{
	struct marker_patch patch = { .addr = addr, .len = 1, .old = { *addr }, .new = { byte } };

	patch.quiet = true;
	if (marker_patch_apply(&patch, 1, NULL))
		errx(2, "text cannot be written");
}

/* Rounds of a transaction that changes @n bytes from @place on; another puts them back. */
static unsigned int rounds(u8 *code, unsigned int place, unsigned int n, bool quiet)
{
	struct marker_patch patch = { .addr = code, .len = 5, .quiet = quiet };
	struct marker_patch_stats stats;
	unsigned int i;

	memcpy(patch.old, code, 5);
	memcpy(patch.new, code, 5);
	for (i = place; i < place + n; i++)
		patch.new[i] ^= 0x55;
	if (marker_patch_apply(&patch, 1, &stats) || memcmp(code, patch.new, 5))
		return 0;
	memcpy(patch.new, patch.old, 5);
	memcpy(patch.old, code, 5);
	patch.found = PATCH_OLD;
	return marker_patch_apply(&patch, 1, NULL) ? 0 : stats.rounds;
}

static void check_rounds(u8 *code)
{
	check(rounds(code, 0, 1, false) == 2, "rounds where the first byte changes", "");
	check(rounds(code, 4, 1, false) == 2, "rounds where the last byte changes", "");
	check(rounds(code, 0, 2, false) == 3, "rounds where two bytes change", "");
	check(rounds(code, 3, 2, false) == 3, "rounds where two bytes behind the first change", "");
	check(rounds(code, 0, 5, true) == 1, "rounds where no CPU can be", "");
	check(rounds(code, 0, 0, false) == 0, "rounds where nothing changes", "");
}

/* The verdict for a CPU that met the int3 of a transaction which has just ended. */
static enum marker_patch_verdict verdict_after(u8 *code, bool call, u8 **to)
{
	struct marker_patch patch = {
		.addr = code, .to = code + 5, .call = call, .len = 1, .old = { *code }, .new = { 0x90 },
	};
	u8 was = *code;
	enum marker_patch_verdict verdict;

	marker_text_write_twice = true;
	if (marker_patch_apply(&patch, 1, NULL))
		errx(2, "text cannot be written");
	marker_text_write_twice = false;
	*to = code;
	verdict = marker_patch_trap(code, to);
	marker_patch_exit();
	boundaries_write_byte(code, was);
	return verdict;
}

static void check_traps(u8 *code)
{
	u8 *to, int3 = 0xcc;

	check(verdict_after(code, false, &to) == PATCH_JUMP && to == code + 5,
	      "int3 of a gate", "");
	check(verdict_after(code, true, &to) == PATCH_CALL && to == code + 5, "int3 of a call", "");
	check(marker_patch_trap(code, &to) == PATCH_RETRY, "an int3 that is gone", "");
	check(marker_patch_trap(&int3, &to) == PATCH_NOT_OURS, "an int3 of another", "");
}

void check_patches(u8 *code)
{
	check_rounds(code);
	check_traps(code);
}
