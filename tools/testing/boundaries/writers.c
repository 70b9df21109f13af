// SPDX-License-Identifier: GPL-2.0-only
/*
 * A writer that a module brings, as marker_gates.ko does where the core is built in: which
 * instructions it gets, and that there is one.
 */
#include <err.h>
#include "boundaries.h"
#include "registry.h"
#include "writer.h"

static struct {
	unsigned int begun, quiet, live, split, finished, ended;
	int refuses;
} calls;

static int begin(const struct marker_patch *patches, unsigned int n)
{
	calls.begun += n;
	return calls.refuses;
}

static void quiet(const struct marker_patch *p, unsigned int n, bool alone,
		  struct marker_patch_stats *stats)
{
	calls.quiet += n;
}

static void live(const struct marker_patch *p, unsigned int n, struct marker_patch_stats *stats)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		calls.live++;
		calls.split += p[i].split;
		memcpy(p[i].addr, p[i].new, p[i].len);
	}
}

static void finish(const struct marker_patch *p, unsigned int n)
{
	calls.finished += n;
}

static void end(void)
{
	calls.ended++;
}

static const struct marker_writer writer = {
	.begin = begin, .quiet = quiet, .live = live, .finish = finish, .end = end,
};

static const struct marker_writer another;

static unsigned int encode(const struct marker_gate_state *gate, bool open,
			   u8 bytes[MARKER_GATE_CODE_MAX])
{
	return 0;
}

static const struct marker_gate_ops rows[] = {
	{ "written", MARKER_GATE_OTHERS, MARKER_GATE_OTHERS, MARKER_GATE_F_CODE, encode },
	{ },
};

static const struct marker_gate_ops other_rows[] = {
	{ "unwritten", MARKER_GATE_OTHERS + 1, MARKER_GATE_OTHERS + 1, MARKER_GATE_F_CODE, encode },
	{ },
};

static u8 data[2][2];	/* no text: who writes it is not the writer of this program */

/* Gates of the module, the second of several instructions, and one byte of @code. */
static int apply(u8 *code, u8 byte, u8 value, struct marker_patch_stats *stats)
{
	struct marker_gate_state gate = { .kind = MARKER_GATE_OTHERS };
	struct marker_patch patches[] = {
		{ .addr = code, .len = 1, .old = { *code }, .new = { byte } },
		{ .addr = data[0], .len = 2, .new = { value, value }, .gate = &gate },
		{ .addr = data[1], .len = 2, .new = { value, value }, .gate = &gate, .split = true },
	};

	memcpy(patches[1].old, data[0], 2);
	memcpy(patches[2].old, data[1], 2);
	memset(&calls, 0, offsetof(typeof(calls), refuses));
	return marker_patch_apply(patches, ARRAY_SIZE(patches), stats);
}

void check_writers(u8 *code)
{
	struct marker_patch back = { .addr = code, .len = 1, .old = { *code ^ 0x55 }, .new = { *code } };
	struct marker_patch_stats stats;
	u8 was = *code;

	check(!marker_gates_register(rows, &writer), "rows with a writer", "");
	check(marker_gates_register(other_rows, &another) == -EBUSY, "a second writer", "");
	check(!marker_gate_ops(other_rows->kind), "its rows are not known", "");
	check(!apply(code, was ^ 0x55, 1, &stats), "a transaction of two writers", "");
	check(calls.begun == 2 && calls.live == 2 && calls.split == 1 && !calls.quiet,
	      "each writer gets its own gates", "");
	check(calls.finished == 2 && calls.ended == 1, "the writer hears of the end", "");
	check(data[0][1] == 1 && data[1][1] == 1 && *code == (was ^ 0x55) && stats.patches == 3,
	      "all is written", "");
	calls.refuses = -ENOMEM;
	check(apply(code, was, 2, &stats) == -ENOMEM, "a writer that refuses", "");
	check(!calls.live && !calls.ended && data[0][0] == 1 && *code == (was ^ 0x55),
	      "nothing is written then", "");
	calls.refuses = 0;
	check(!marker_gates_unregister(rows, &writer), "rows and writer are removed", "");
	check(apply(code, was, 2, &stats) == -EFAULT && *code == (was ^ 0x55),
	      "without a writer they are this program's, which cannot write data", "");
	check(!marker_patch_apply(&back, 1, NULL) && *code == was, "the byte of the program", "");
	check(!marker_gates_register(other_rows, &another), "another can be registered", "");
	check(!marker_gates_unregister(other_rows, &another), "and removed", "");
}
