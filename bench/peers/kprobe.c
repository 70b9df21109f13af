// SPDX-License-Identifier: GPL-2.0-only
/* Sets kprobes by breakpoint, and checks that each is one. */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include "kprobe.h"
#include "peer.h"

#define SETTLED_MS	200u
#define STEP_MS		20u

static int empty(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

NOKPROBE_SYMBOL(empty);

void marker_bench_kprobe_set(struct kprobe *kprobe, void *addr)
{
	*kprobe = (struct kprobe){ .addr = addr, .pre_handler = empty };
}

int marker_bench_kprobe_register_all(struct kprobe *kprobes, void *const *const *at)
{
	struct kprobe *list[BENCH_LAYOUTS];
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++) {
		marker_bench_kprobe_set(&kprobes[i], *at[i]);
		list[i] = &kprobes[i];
	}
	return register_kprobes(list, BENCH_LAYOUTS);
}

void marker_bench_kprobe_unregister_all(struct kprobe *kprobes)
{
	struct kprobe *list[BENCH_LAYOUTS];
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++)
		list[i] = &kprobes[i];
	unregister_kprobes(list, BENCH_LAYOUTS);
}

static bool all_are_breakpoints(const struct kprobe *kprobes)
{
	unsigned int i;

	for (i = 0; i < BENCH_LAYOUTS; i++)
		if (!kprobe_site_is_breakpoint(kprobes[i].addr))
			return false;
	return true;
}

/*
 * With debug.kprobes-optimization at 1 the kernel would make jumps of these kprobes. SETTLED_MS is
 * long enough for the kernel's delayed work.
 */
static int attach_breakpoints(struct kprobe *kprobes, void *const *const *at)
{
	unsigned int waited;
	int ret = marker_bench_kprobe_register_all(kprobes, at);

	if (ret)
		return ret;
	for (waited = 0; waited < SETTLED_MS; waited += STEP_MS) {
		msleep(STEP_MS);
		if (!all_are_breakpoints(kprobes)) {
			marker_bench_kprobe_unregister_all(kprobes);
			return -EOPNOTSUPP;
		}
	}
	return 0;
}

static struct kprobe by_breakpoint[BENCH_LAYOUTS], emulated[BENCH_LAYOUTS];

static int attach_int3(void)
{
	static void *const *const at[] = {
		&marker_bench_kprobe_int3_0, &marker_bench_kprobe_int3_1,
		&marker_bench_kprobe_int3_2, &marker_bench_kprobe_int3_3,
	};

	return attach_breakpoints(by_breakpoint, at);
}

static void detach_int3(void)
{
	marker_bench_kprobe_unregister_all(by_breakpoint);
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
	marker_bench_kprobe_unregister_all(emulated);
}

const struct bench_peer marker_bench_peer_kprobe_emulated = {
	.name = "kprobe_emulated", .attach = attach_emulated, .detach = detach_emulated,
	.alone = true,
};
