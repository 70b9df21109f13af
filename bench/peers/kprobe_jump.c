// SPDX-License-Identifier: GPL-2.0-only
/* Sets kprobes that are no breakpoint, and checks that the kernel has made each one as named. */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <asm/text-patching.h>
#include "kprobe.h"
#include "kprobe_jump.h"
#include "peer.h"

#define PATIENCE_MS	5000u
#define STEP_MS		20u

static struct kprobe by_jump[BENCH_LAYOUTS];
static struct kprobe at_entry;

static bool all_are_jumps(void)
{
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++)
		if (READ_ONCE(*(const u8 *)by_jump[i].addr) != JMP32_INSN_OPCODE)
			return false;
	return true;
}

/* The kernel optimises a while later. */
static int attach_opt(void)
{
	static void *const *const at[] = {
		&marker_bench_kprobe_opt_0, &marker_bench_kprobe_opt_1,
		&marker_bench_kprobe_opt_2, &marker_bench_kprobe_opt_3,
	};
	unsigned int waited;
	int ret;

	ret = marker_bench_kprobe_register_all(by_jump, at);
	if (ret)
		return ret;
	for (waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
		if (all_are_jumps())
			break;
		msleep(STEP_MS);
	}
	if (waited < PATIENCE_MS)
		return 0;
	marker_bench_kprobe_unregister_all(by_jump);
	return -EOPNOTSUPP;
}

static void detach_opt(void)
{
	marker_bench_kprobe_unregister_all(by_jump);
}

const struct bench_peer marker_bench_peer_kprobe_opt = {
	.name = "kprobe_opt", .attach = attach_opt, .detach = detach_opt,
};

noinline void marker_bench_kprobe_entry_target(int count, void *pointer)
{
	barrier();
}

static int attach_entry(void)
{
	int ret;

	marker_bench_kprobe_set(&at_entry, marker_bench_kprobe_entry_target);
	ret = register_kprobe(&at_entry);
	if (ret || kprobe_ftrace(&at_entry))
		return ret;
	unregister_kprobe(&at_entry);
	return -EOPNOTSUPP;
}

static void detach_entry(void)
{
	unregister_kprobe(&at_entry);
}

const struct bench_peer marker_bench_peer_kprobe_entry = {
	.name = "kprobe_entry", .attach = attach_entry, .detach = detach_entry,
};
