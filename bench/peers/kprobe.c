// SPDX-License-Identifier: GPL-2.0-only
/* Sets the kprobes, and sees to it that each is what its name says. */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <asm/text-patching.h>
#include "kprobe.h"
#include "peer.h"

#define PATIENCE_MS	5000u
#define STEP_MS		20u

static int empty(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

NOKPROBE_SYMBOL(empty);

/* A kprobe remembers what it was, so each registration begins with a new one. */
static void set(struct kprobe *kprobe, void *addr)
{
	*kprobe = (struct kprobe){ .addr = addr, .pre_handler = empty };
}

static struct kprobe by_int3[BENCH_LAYOUTS], by_jump[BENCH_LAYOUTS], at_entry;

static int attach_all(struct kprobe *kprobes, void *const *const *at)
{
	struct kprobe *list[BENCH_LAYOUTS];
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++) {
		set(&kprobes[i], *at[i]);
		list[i] = &kprobes[i];
	}
	return register_kprobes(list, BENCH_LAYOUTS);
}

static void detach_all(struct kprobe *kprobes)
{
	struct kprobe *list[BENCH_LAYOUTS];
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++)
		list[i] = &kprobes[i];
	unregister_kprobes(list, BENCH_LAYOUTS);
}

/* Whether @opcode stands where each of them sits. */
static bool all_are(const struct kprobe *kprobes, u8 opcode)
{
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++)
		if (READ_ONCE(*(const u8 *)kprobes[i].addr) != opcode)
			return false;
	return true;
}

static int attach_int3(void)
{
	static void *const *const at[] = {
		&marker_bench_kprobe_int3_0, &marker_bench_kprobe_int3_1,
		&marker_bench_kprobe_int3_2, &marker_bench_kprobe_int3_3,
	};

	return attach_all(by_int3, at);
}

static void detach_int3(void)
{
	detach_all(by_int3);
}

const struct bench_peer marker_bench_peer_kprobe_int3 = {
	.name = "kprobe_int3", .attach = attach_int3, .detach = detach_int3,
};

/* The kernel optimises a while later; what it then has looked at are all. */
static int attach_opt(void)
{
	static void *const *const at[] = {
		&marker_bench_kprobe_opt_0, &marker_bench_kprobe_opt_1,
		&marker_bench_kprobe_opt_2, &marker_bench_kprobe_opt_3,
	};
	unsigned int waited;
	int ret;

	ret = attach_all(by_jump, at);
	if (ret)
		return ret;
	for (waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
		if (all_are(by_jump, JMP32_INSN_OPCODE))
			break;
		msleep(STEP_MS);
	}
	if (waited >= PATIENCE_MS)
		ret = -EOPNOTSUPP;
	else if (!all_are(by_int3, INT3_INSN_OPCODE))
		ret = -EINVAL;
	if (ret)
		detach_all(by_jump);
	return ret;
}

static void detach_opt(void)
{
	detach_all(by_jump);
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

	set(&at_entry, marker_bench_kprobe_entry_target);
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
