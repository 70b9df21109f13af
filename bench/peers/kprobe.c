// SPDX-License-Identifier: GPL-2.0-only
/* Sets the kprobes, and sees to it that each is what its name says. */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <asm/text-patching.h>
#include "kprobe.h"
#include "peer.h"

#define PATIENCE_MS	5000u
#define SETTLED_MS	200u
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

static struct kprobe by_int3[BENCH_LAYOUTS], emulated[BENCH_LAYOUTS], by_jump[BENCH_LAYOUTS];
static struct kprobe at_entry;

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

/*
 * With debug.kprobes-optimization at 1 the kernel would make jumps of these; what it then
 * does later it has done after SETTLED_MS.
 */
static int attach_breakpoints(struct kprobe *kprobes, void *const *const *at)
{
	unsigned int waited;
	int ret = attach_all(kprobes, at);

	if (ret)
		return ret;
	for (waited = 0; waited < SETTLED_MS; waited += STEP_MS) {
		msleep(STEP_MS);
		if (!all_are(kprobes, INT3_INSN_OPCODE)) {
			detach_all(kprobes);
			return -EOPNOTSUPP;
		}
	}
	return 0;
}

static int attach_int3(void)
{
	static void *const *const at[] = {
		&marker_bench_kprobe_int3_0, &marker_bench_kprobe_int3_1,
		&marker_bench_kprobe_int3_2, &marker_bench_kprobe_int3_3,
	};

	return attach_breakpoints(by_int3, at);
}

static void detach_int3(void)
{
	detach_all(by_int3);
}

const struct bench_peer marker_bench_peer_kprobe_int3 = {
	.name = "kprobe_int3", .attach = attach_int3, .detach = detach_int3, .alone = true,
};

static int attach_emulated(void)
{
	static void *const *const at[] = {
		&marker_bench_kprobe_emulated_0, &marker_bench_kprobe_emulated_1,
		&marker_bench_kprobe_emulated_2, &marker_bench_kprobe_emulated_3,
	};

	return attach_breakpoints(emulated, at);
}

static void detach_emulated(void)
{
	detach_all(emulated);
}

const struct bench_peer marker_bench_peer_kprobe_emulated = {
	.name = "kprobe_emulated", .attach = attach_emulated, .detach = detach_emulated,
	.alone = true,
};

/* The kernel optimises a while later. */
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
	if (waited < PATIENCE_MS)
		return 0;
	detach_all(by_jump);
	return -EOPNOTSUPP;
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
